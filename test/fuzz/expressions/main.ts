// Random expressions about hostile values: npm run fuzz-expressions -- [--count 100000] [--seed n]
import {parseArgs} from 'node:util';
import {fuzzExpressions} from './fuzz-expressions.js';

const {values} = parseArgs({options: {count: {type: 'string', default: '100000'}, seed: {type: 'string'}}});
const seed = Number(values.seed ?? Math.floor(Math.random() * 2 ** 32));
process.stdout.write(`seed ${seed}\n`);
const {findings, ...figures} = fuzzExpressions(Number(values.count), seed, (done) => process.stdout.write(`${done}\n`));
for (const {what, detail, expression, size} of findings) process.stdout.write(`${what}: ${detail}, values of ${size}: ${expression}\n`);
process.stdout.write(`${JSON.stringify(figures)}, ${findings.length} findings\n`);
process.exitCode = findings.length > 0 ? 1 : 0;
