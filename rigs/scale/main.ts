// How far it goes: npm run scale -- --help
import {mkdirSync, writeFileSync} from 'node:fs';
import {dirname, resolve} from 'node:path';
import {parseArgs} from 'node:util';
import {writeFigures} from '../bench/document-sections.js';
import {measureFollowers, type FollowersCase} from './measure-followers.js';
import {growthMarkdown, growthReport} from './growth-report.js';
import {growthNames, measureGrowth} from './measure-growth.js';
import {manyObjectsReport, measureManyObjects} from './measure-many-objects.js';
import {measureServer} from './measure-server.js';
import {fitLine, type Costs} from './model.js';
import {scaleReport} from './report.js';
import {writePlots} from './write-plots.js';

const help = `Measures what one server costs and what many servers cost the Redis that they share, and works out how far that goes.

  npm run scale -- [options]

  --quick         fewer operations: a first impression
  --servers LIST  how many servers follow one Redis, with commas (1,4,16,64,250,1000); real stores, without the servers around them
  --growth        nothing but curves: what requests cost while objects, watches, definitions, policies, namespaces, labels or servers become many
  --of NAMES      of these only those whose names begin so, with commas
  --large         with numbers that take minutes
  --objects N     nothing but one server with so many objects in the embedded store, 100 to 5,000,000: start, pages, searches, memory
  --plots FOLDER  where pictures of the curves go (bench-results/growth)
  --pages FILES   pages of Markdown, with commas, that get tables of the curves between <!-- figures: NAME --> and <!-- end of figures -->
  --json FILE     where the figures go as JSON (bench-results/scale.json)
  --help          this text

Processor time is what counts: 1,000 servers on one machine are slow, but each costs what it costs elsewhere. The model is a straight line through the
figures of Redis; how far it deviates from each stands beside it. docs/scale.md tells what the figures mean.

Examples
  npm run scale -- --quick --servers 1,10,50
  npm run scale
  npm run scale -- --growth --of objects,watches --large
  npm run scale -- --growth --large --plots docs/images --pages docs/scale.md
  npm run scale -- --objects 1000000
`;

const {values} = parseArgs({
  options: {
    quick: {type: 'boolean', default: false},
    growth: {type: 'boolean', default: false},
    of: {type: 'string', default: ''},
    large: {type: 'boolean', default: false},
    objects: {type: 'string'},
    pages: {type: 'string', default: ''},
    plots: {type: 'string', default: 'bench-results/growth'},
    servers: {type: 'string', default: '1,4,16,64,250,1000'},
    json: {type: 'string', default: 'bench-results/scale.json'},
    help: {type: 'boolean', default: false},
  },
});

function writeJson(name: string, value: unknown): void {
  const file = resolve(name);
  mkdirSync(dirname(file), {recursive: true});
  writeFileSync(file, `${JSON.stringify(value, undefined, 2)}\n`);
}

const progress = (text: string) => void process.stderr.write(`${text}\n`);

if (values.help) {
  process.stdout.write(help);
} else if (values.objects !== undefined) {
  const objects = Number(values.objects);
  if (!Number.isInteger(objects) || objects < 100 || objects > 5_000_000) throw new Error('--objects: a number from 100 to 5000000');
  process.stdout.write(`${manyObjectsReport(await measureManyObjects(objects, progress))}\n`);
} else if (values.growth) {
  const began = performance.now();
  const wanted = values.of.split(',').filter(Boolean);
  const unknown = wanted.find((beginning) => !growthNames.some((name) => name.startsWith(beginning)));
  if (unknown !== undefined) throw new Error(`--of does not know ${unknown}: ${growthNames.join(', ')}`);
  const growths = await measureGrowth(wanted, values.large, progress);
  process.stdout.write(`${growthReport(growths)}\n\n`);
  writeJson(values.json, growths);
  writeFigures(values.pages.split(',').filter(Boolean), growthMarkdown(growths));
  const written = writePlots(growths, resolve(values.plots));
  process.stdout.write(`${((performance.now() - began) / 1000).toFixed(0)} s; pictures: ${written.join(', ')}\n`);
} else {
  const counts = values.servers.split(',').map(Number);
  if (counts.length < 2 || counts.some((count) => !Number.isInteger(count) || count < 1 || count > 2000)) {
    throw new Error('--servers: at least two numbers between 1 and 2000, with commas');
  }
  const server = await measureServer(values.quick, progress);
  const cases: FollowersCase[] = [];
  for (const asked of [true, false]) {
    for (const count of counts) {
      progress(`${count} servers on one Redis, ${asked ? 'asked for the type' : 'not asked'}`);
      const most = values.quick ? 1_000 : 5_000;
      cases.push(await measureFollowers(count, asked, Math.max(200, Math.min(most, Math.round(200_000 / count)))));
    }
  }
  const points = (asked: boolean, member: 'redisIdle' | 'redisPerWrite') =>
    cases.filter((one) => one.asked === asked).map((one) => [one.servers, one[member]] as const);
  const costs: Costs = {
    redisAsked: fitLine(points(true, 'redisPerWrite')),
    redisUnasked: fitLine(points(false, 'redisPerWrite')),
    redisIdle: fitLine(points(false, 'redisIdle')),
    write: server.update,
    followed: server.followed,
    unfollowed: server.unfollowed,
    event: server.event,
  };
  process.stdout.write(`${scaleReport(server, cases, costs)}\n`);
  writeJson(values.json, {server, cases, costs});
}
