// Measures the console: 50,000 objects in a list of which 500 change each second, in Chromium; what it costs a server that has nothing to do; and how long a new
// user takes from a fresh clone to the first object that he has edited.
//
//   npm run console-figures [-- --only list|idle|first] [--objects 50000] [--rate 500] [--seconds 20] [--profile DIR]
//
// The exit code is 1 if the list does not show at the end what the server has, or an idle server takes more than 0.1 % of a processor for the console, or the first steps
// take more than a minute.
import '../require-node.mjs';
import {parseArgs} from 'node:util';
import {measureFirstSteps} from './measure-first-steps.mjs';
import {measureIdle} from './measure-idle.mjs';
import {measureList} from './measure-list.mjs';

const {values} = parseArgs({
  options: {
    only: {type: 'string'},
    objects: {type: 'string', default: '50000'},
    rate: {type: 'string', default: '500'},
    seconds: {type: 'string', default: '20'},
    profile: {type: 'string'},
  },
});
const [objects, rate, seconds] = [values.objects, values.rate, values.seconds].map(Number);
const parts = {list: () => measureList({objects, rate, seconds, profile: values.profile}), idle: measureIdle, first: measureFirstSteps};
const chosen = values.only?.split(',') ?? Object.keys(parts);
for (const part of chosen) if (!(await parts[part]())) process.exitCode = 1;
