// Given to Node.js with --import: writes the URLs of all modules that the process has loaded, how many of them it had loaded when it said that it was
// ready, and the names of those that are part of Node.js, as JSON to the file that RECORD_MODULES names, when the process ends.
import {writeFileSync} from 'node:fs';
import {registerHooks} from 'node:module';
import process from 'node:process';

const urls: string[] = [];
let beforeReady = 0;

registerHooks({
  load: (url, context, next) => {
    urls.push(url);
    return next(url, context);
  },
});

const write = process.stdout.write.bind(process.stdout) as (...parameters: unknown[]) => boolean;
process.stdout.write = ((...parameters: unknown[]) => {
  if (String(parameters[0]).startsWith('ready ')) beforeReady = urls.length;
  return write(...parameters);
}) as typeof process.stdout.write;

process.on('exit', () => {
  const {moduleLoadList} = process as unknown as {moduleLoadList: readonly string[]};
  writeFileSync(process.env['RECORD_MODULES']!, JSON.stringify({urls, beforeReady, builtin: moduleLoadList}));
});
