// Imported first by every script that needs the Node release of package.json's `engines`: an older one gets one clear
// sentence instead of a syntax error or a missing function somewhere later.
import {readFileSync} from 'node:fs';

const needed = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')).engines.node;
const parts = (text) =>
  text
    .replace(/^[^\d]*/, '')
    .split('.')
    .map(Number);
const [major, minor = 0] = parts(needed);
const [ownMajor, ownMinor] = parts(process.versions.node);

if (ownMajor < major || (ownMajor === major && ownMinor < minor)) {
  console.error(
    `This needs Node ${needed}, and this is Node ${process.versions.node}. Run it through npm (npm run …, npm test): ` +
      'that uses the Node 24 which scripts/setup.sh installs into node_modules.',
  );
  process.exit(1);
}
