// Imported first by every script that needs a Node release of package.json's `engines`: any other gets one clear sentence instead of a syntax
// error or a missing function somewhere later.
import {readFileSync} from 'node:fs';

const needed = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')).engines.node;
const parts = (text) => text.split('.').map(Number);
const [ownMajor, ownMinor] = parts(process.versions.node);
const isNeeded = needed.split(' || ').some((range) => {
  const [major, minor] = parts(range.slice(1));
  return ownMajor === major && ownMinor >= minor;
});

if (!isNeeded) {
  console.error(
    `This needs Node ${needed}, and this is Node ${process.versions.node}. Run it through npm (npm run …, npm test, npm exec -- node scripts/…): ` +
      'that uses the Node 24 which scripts/setup.sh installs into node_modules.',
  );
  process.exit(1);
}
