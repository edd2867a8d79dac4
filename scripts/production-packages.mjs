// The packages of an installation for production, from the lock file. Called by scripts/sbom.mjs.
import {readFileSync} from 'node:fs';
import {join} from 'node:path';

const folder = 'node_modules/';

/**
 * The project itself, then its packages in order of their names, each once: `{id, name, version, licence, integrity, optional,
 * dependencies}`. `dependencies` are the ids of what it gets; what is optional and not in the lock file is left out.
 */
export function productionPackages(root) {
  const readJson = (name) => JSON.parse(readFileSync(join(root, name), 'utf8'));
  const {packages} = readJson('package-lock.json');
  const {licencesOfPackages} = readJson('scripts/packages.json');
  const nameOf = (path) => (path === '' ? packages[''].name : path.slice(path.lastIndexOf(folder) + folder.length));
  const idOf = (path) => `${nameOf(path)}@${packages[path].version}`;

  /** Where Node finds a package for another one: beside it or further up. */
  function find(from, name) {
    for (let place = from; ; place = place.slice(0, Math.max(0, place.lastIndexOf(folder) - 1))) {
      const path = `${place === '' ? '' : `${place}/`}${folder}${name}`;
      if (packages[path]) return path;
      if (place === '') return undefined;
    }
  }

  const found = new Map();
  for (const [path, entry] of Object.entries(packages)) {
    if (entry.dev) continue;
    const wanted = Object.keys({...entry.dependencies, ...entry.optionalDependencies, ...entry.peerDependencies});
    const dependencies = wanted.map((name) => find(path, name)).filter((other) => other !== undefined && !packages[other].dev);
    const id = idOf(path);
    const ids = new Set([...(found.get(id)?.dependencies ?? []), ...dependencies.map(idOf)]);
    const name = nameOf(path);
    found.set(id, {
      id,
      name,
      version: entry.version,
      licence: entry.license ?? licencesOfPackages[name]?.licence ?? 'NOASSERTION',
      integrity: entry.integrity,
      optional: entry.optional === true,
      dependencies: [...ids].sort(),
    });
  }
  const [project, ...others] = found.values();
  return [project, ...others.sort((a, b) => (a.id < b.id ? -1 : 1))];
}
