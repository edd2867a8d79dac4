// The packages of an installation for production, from the lock file. Called by scripts/sbom.mjs and scripts/check-packages.mjs.
import {readFileSync} from 'node:fs';
import {join} from 'node:path';

const folder = 'node_modules/';

/** Where Node finds a package for the one at `from`: beside it or further up. Undefined if it is not in the lock file. */
function find(packages, from, name) {
  for (let place = from; ; place = place.slice(0, Math.max(0, place.lastIndexOf(folder) - 1))) {
    const path = `${place === '' ? '' : `${place}/`}${folder}${name}`;
    if (packages[path]) return path;
    if (!place.includes(folder)) return place === '' ? undefined : find(packages, '', name);
  }
}

const wantedBy = (entry) => Object.keys({...entry.dependencies, ...entry.optionalDependencies, ...entry.peerDependencies});

/**
 * Paths in the lock file that only this repository installs: its workspaces, and what nobody but them asks for. `npm install @orch-api/orch`
 * brings none of them.
 */
export function repositoryOnly(packages) {
  const reach = (starts) => {
    const seen = new Set();
    const open = [...starts];
    while (open.length > 0) {
      const path = open.pop();
      if (seen.has(path)) continue;
      seen.add(path);
      for (const name of wantedBy(packages[path])) {
        const other = find(packages, path, name);
        if (other !== undefined) open.push(other);
      }
    }
    return seen;
  };
  const links = Object.entries(packages).filter(([, entry]) => entry.link);
  const inner = reach(links.map(([, {resolved}]) => resolved));
  const own = reach(['']);
  return new Set([...links.map(([path]) => path), ...[...inner].filter((path) => !own.has(path))]);
}

/**
 * The project itself, then its packages in order of their names, each once: `{id, name, version, licence, integrity, optional,
 * dependencies}`. `dependencies` are the ids of what it gets; what is optional and not in the lock file is left out.
 *
 * @param bundled ids of packages whose code the project carries with it, though nobody installs them: they count as its dependencies
 */
export function productionPackages(root, bundled = new Set()) {
  const readJson = (name) => JSON.parse(readFileSync(join(root, name), 'utf8'));
  const {packages} = readJson('package-lock.json');
  const {licencesOfPackages} = readJson('scripts/packages.json');
  const nameOf = (path) => (path === '' ? packages[''].name : path.slice(path.lastIndexOf(folder) + folder.length));
  const idOf = (path) => `${nameOf(path)}@${packages[path].version}`;

  const isLeftOut = (path) => packages[path].dev && !bundled.has(idOf(path));
  const excluded = repositoryOnly(packages);
  const found = new Map();
  for (const [path, entry] of Object.entries(packages)) {
    if (isLeftOut(path) || excluded.has(path)) continue;
    const dependencies = wantedBy(entry)
      .map((name) => find(packages, path, name))
      .filter((other) => other !== undefined && !isLeftOut(other));
    const id = idOf(path);
    const ids = new Set([...(found.get(id)?.dependencies ?? []), ...dependencies.map(idOf), ...(path === '' ? bundled : [])]);
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
