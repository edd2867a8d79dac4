// Random expressions about hostile values: npm run fuzz-expressions -- [--count 100000] [--seed n]
import {parseArgs} from 'node:util';
import {fuzzExpressions} from './fuzz-expressions.js';

const help = `Evaluates random CEL expressions about hostile values, and shows those that take more than they are charged, hold up a turn, or fail
inside of the library.

  npm run fuzz-expressions -- [options]

  --count N   expressions (100000)
  --seed N    of what is random (printed)
  --help      this text

Example
  npm run fuzz-expressions -- --count 5000 --seed 7
`;

const {values} = parseArgs({
  options: {count: {type: 'string', default: '100000'}, seed: {type: 'string'}, help: {type: 'boolean', default: false}},
});
if (values.help) {
  process.stdout.write(help);
  process.exit();
}
const seed = Number(values.seed ?? Math.floor(Math.random() * 2 ** 32));
process.stdout.write(`seed ${seed}\n`);
const {findings, ...figures} = await fuzzExpressions(Number(values.count), seed, (done) => process.stdout.write(`${done}\n`));
for (const {what, detail, expression, size} of findings) process.stdout.write(`${what}: ${detail}, values of ${size}: ${expression}\n`);
process.stdout.write(`${JSON.stringify(figures)}, ${findings.length} findings\n`);
process.exitCode = findings.length > 0 ? 1 : 0;
