// Given to Node.js with --import: writes the URLs of all modules that the process has loaded, and the names of those that are part of Node.js,
// as JSON to the file that RECORD_MODULES names, when the process ends.
import {writeFileSync} from 'node:fs';
import {registerHooks} from 'node:module';
import process from 'node:process';

const urls: string[] = [];

registerHooks({
  load: (url, context, next) => {
    urls.push(url);
    return next(url, context);
  },
});

process.on('exit', () => {
  const {moduleLoadList} = process as unknown as {moduleLoadList: readonly string[]};
  writeFileSync(process.env['RECORD_MODULES']!, JSON.stringify({urls, builtin: moduleLoadList}));
});
