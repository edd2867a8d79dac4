import process from 'node:process';
import {runEtcd} from './etcd.js';

try {
  process.exitCode = await runEtcd(process.argv.slice(2));
} catch (error) {
  process.stderr.write(`etcd: ${(error as Error).message}\n`);
  process.exitCode = 1;
}
