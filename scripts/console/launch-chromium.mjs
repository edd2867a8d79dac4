import {existsSync} from 'node:fs';
import {delimiter, join} from 'node:path';
import {chromium} from 'playwright-core';

/** Starts the Chromium of the machine. Root has no sandbox there. @throws Error where there is none */
export function launchChromium() {
  const program = (process.env.PATH ?? '')
    .split(delimiter)
    .map((folder) => join(folder, 'chromium'))
    .find((path) => existsSync(path));
  if (!program) throw new Error('this needs chromium: bash scripts/setup.sh --tests installs it');
  return chromium.launch({executablePath: program, args: process.getuid?.() === 0 ? ['--no-sandbox'] : []});
}
