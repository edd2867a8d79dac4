// Where the version of the package stands: in its manifest, in the lock file, and in the manifests of the plugins that come with it.
import {existsSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {filesBelow} from '../source-files.mjs';

export const kinds = ['patch', 'minor', 'major'];

/** The version after `version`. @param kind `major`, `minor` or `patch` */
export function nextVersion(version, kind) {
  const [major, minor, patch] = version.split('.').map(Number);
  if (kind === 'major') return `${major + 1}.0.0`;
  return kind === 'minor' ? `${major}.${minor + 1}.0` : `${major}.${minor}.${patch + 1}`;
}

/** Writes a version, and `fields` of package.json. Answers the files that have changed. */
export function writeVersion(root, version, fields = {}) {
  const changed = [];
  const edit = (path, change) => {
    const file = join(root, path);
    if (!existsSync(file)) return;
    const before = readFileSync(file, 'utf8');
    const after = change(before);
    if (after === before) return;
    writeFileSync(file, after);
    changed.push(path);
  };
  edit('package.json', (text) => {
    const {private: _private, repository: _repository, bugs: _bugs, homepage: _homepage, keywords: _keywords, ...rest} = JSON.parse(text);
    const {name, version: _version, description, license, ...others} = rest;
    return `${JSON.stringify({name, version, description, license, ...fields, ...others}, null, 2)}\n`;
  });
  edit('package-lock.json', (text) => {
    const lock = JSON.parse(text);
    lock.version = version;
    lock.packages[''].version = version;
    return `${JSON.stringify(lock, null, 2)}\n`;
  });
  for (const folder of ['plugins', 'examples', 'test/fixtures/plugins']) {
    if (!existsSync(join(root, folder))) continue;
    for (const path of filesBelow(join(root, folder), /^plugin\.json$/))
      edit(`${folder}/${path}`, (text) =>
        text
          // A range such as `^0.1.0` does not take 0.2.0.
          .replace(/("kernel": "\^)\d+\.\d+\.\d+(")/, `$1${version}$2`)
          .replace(/^( {2}"version": ")\d+\.\d+\.\d+(")/m, folder === 'plugins' ? `$1${version}$2` : '$&'),
      );
  }
  return changed;
}
