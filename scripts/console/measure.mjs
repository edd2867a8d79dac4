// Measures the console in Chromium: npm run console-figures -- --help
import '../require-node.mjs';
import {parseArgs} from 'node:util';
import {measureFirstSteps} from './measure-first-steps.mjs';
import {measureIdle} from './measure-idle.mjs';
import {measureList} from './measure-list.mjs';

const help = `Measures the console in Chromium: a list of many objects that change all the time, what the console costs a server that has nothing to do, and how long a
new user takes from a fresh clone to the first object that he has edited.

  npm run console-figures -- [options]

  --only PARTS    of list, idle and first only these, with commas
  --objects N     objects of the list (50000)
  --rate N        changes in a second (500)
  --seconds N     how long each is measured (20)
  --profile DIR   where profiles of the page go; none without
  --help          this text

The exit code is 1 if the list does not show at the end what the server has, if an idle server takes more than 0.1 % of a processor for the console, or if the first
steps take more than a minute.

Examples
  npm run console-figures
  npm run console-figures -- --only list --objects 10000 --rate 100
`;

const {values} = parseArgs({
  options: {
    help: {type: 'boolean', default: false},
    only: {type: 'string'},
    objects: {type: 'string', default: '50000'},
    rate: {type: 'string', default: '500'},
    seconds: {type: 'string', default: '20'},
    profile: {type: 'string'},
  },
});
const [objects, rate, seconds] = [values.objects, values.rate, values.seconds].map(Number);
const parts = {list: () => measureList({objects, rate, seconds, profile: values.profile}), idle: measureIdle, first: measureFirstSteps};
const chosen = values.help ? [] : (values.only?.split(',') ?? Object.keys(parts));
const unknown = chosen.find((part) => !Object.hasOwn(parts, part));
if (unknown !== undefined) throw new Error(`--only does not know ${unknown}: ${Object.keys(parts).join(', ')}`);
if (values.help) process.stdout.write(help);
for (const part of chosen) if (!(await parts[part]())) process.exitCode = 1;
