import process from 'node:process';
import {shownText} from '../../../sdk/values/shown-text.js';
import {runEtcd} from './etcd.js';

// Without an `await` of its own: the single file loads this module with `require`.
runEtcd(process.argv.slice(2)).then(
  (code) => {
    process.exitCode = code;
  },
  (error: unknown) => {
    process.stderr.write(`etcd: ${shownText((error as Error).message)}\n`);
    process.exitCode = 1;
  },
);
