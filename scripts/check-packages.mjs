// Says how many packages an installation brings, how large they are and under which licences, and refuses licences and install
// scripts that scripts/packages.json does not name. Looks at the lock file and at what is installed, and asks no registry.
//
//   node scripts/check-packages.mjs [--root DIR]
import './require-node.mjs';
import {existsSync, lstatSync, readdirSync, readFileSync} from 'node:fs';
import {join, resolve} from 'node:path';
import {pathToFileURL} from 'node:url';
import {parseArgs} from 'node:util';
import {repositoryOnly} from './production-packages.mjs';

/** Answers `{note, problems}`. */
export function checkPackages(root) {
  const {packages} = readJson(join(root, 'package-lock.json'));
  const {allowScripts = {}} = readJson(join(root, 'package.json'));
  const policy = readJson(join(root, 'scripts/packages.json'));
  const problems = [];
  const used = new Set();
  const excluded = repositoryOnly(packages);
  const licences = new Map();
  let count = 0;
  let bytes = 0;
  for (const [path, entry] of Object.entries(packages)) {
    // The project and its workspaces are no packages that come from elsewhere.
    if (!path.includes('node_modules/') || entry.link) continue;
    const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
    const label = `${name}@${entry.version}`;
    if (entry.integrity === undefined) problems.push(`${label}: the lock file has no checksum of it`);
    if (entry.hasInstallScript) {
      used.add(name);
      const rule = policy.installScripts[name];
      if (!rule)
        problems.push(`${label}: runs a script when it is installed, and scripts/packages.json does not name it under installScripts`);
      else if (allowScripts[name] !== rule.run)
        problems.push(`${label}: allowScripts of package.json must say ${rule.run}, as scripts/packages.json does`);
    }
    if (entry.dev || excluded.has(path)) continue;
    count += 1;
    bytes += sizeOf(join(root, path));
    const licence = licenceOf(root, path, name, entry, policy, problems, used);
    licences.set(licence, (licences.get(licence) ?? 0) + 1);
    if (!isAllowed(licence, policy.licences)) {
      problems.push(`${label}: the licence ${licence} is not among the licences of scripts/packages.json`);
    }
  }
  for (const name of [...Object.keys(policy.installScripts), ...Object.keys(policy.licencesOfPackages)]) {
    if (!used.has(name)) problems.push(`scripts/packages.json names ${name}, for which there is no need any more`);
  }
  for (const name of Object.keys(allowScripts)) {
    if (!policy.installScripts[name])
      problems.push(`package.json has ${name} under allowScripts, and scripts/packages.json does not say why`);
  }
  const listed = [...licences].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)).map(([licence, number]) => `${licence} ${number}`);
  return {note: `${count} packages in production, ${(bytes / 1e6).toFixed(1)} MB: ${listed.join(', ')}`, problems};
}

/** What the lock file says, which has to be what the package itself says where it is installed. */
function licenceOf(root, path, name, entry, policy, problems, used) {
  const manifest = join(root, path, 'package.json');
  const installed = existsSync(manifest) ? readJson(manifest).license : undefined;
  const own = typeof installed === 'object' ? installed?.type : installed;
  if (entry.license !== undefined && own !== undefined && own !== entry.license) {
    problems.push(`${name}@${entry.version}: the lock file says the licence ${entry.license}, the package ${own}`);
  }
  const said = entry.license ?? own;
  if (said !== undefined) return said;
  const rule = policy.licencesOfPackages[name];
  if (!rule) return 'unknown';
  used.add(name);
  return rule.licence;
}

/** `A`, `(A OR B)` or `(A AND B)`. */
function isAllowed(expression, known) {
  const text = expression.replaceAll(/[()]/g, '').trim();
  if (/ AND /.test(text)) return text.split(/ AND /).every((part) => isAllowed(part, known));
  return text.split(/ OR /).some((part) => Object.hasOwn(known, part.trim()));
}

/** Bytes of the files of a package, without packages inside it. */
function sizeOf(folder) {
  if (!existsSync(folder)) return 0;
  let bytes = 0;
  for (const entry of readdirSync(folder, {withFileTypes: true})) {
    if (entry.isDirectory()) {
      if (entry.name !== 'node_modules') bytes += sizeOf(join(folder, entry.name));
    } else if (entry.isFile()) bytes += lstatSync(join(folder, entry.name)).size;
  }
  return bytes;
}

function readJson(path) {
  return JSON.parse(readFileSync(path, 'utf8'));
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  const {values} = parseArgs({options: {root: {type: 'string', default: '.'}}});
  const {note, problems} = checkPackages(resolve(values.root));
  for (const problem of problems) console.log(problem);
  console.log(`packages: ${note}; ${problems.length} problems`);
  process.exitCode = problems.length > 0 ? 1 : 0;
}
