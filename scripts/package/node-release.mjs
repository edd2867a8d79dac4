import {mkdirSync, writeFileSync} from 'node:fs';
import {delimiter, dirname, join} from 'node:path';

/**
 * An environment in which `node` is the given release, which npm brings unless it is the one that this runs on. Settings of npm and Node.js for
 * this process are not in it.
 *
 * @param work folder for the release
 * @param run runs a program to its end
 */
export function environmentWith(version, work, run) {
  const env = {...process.env};
  for (const name of Object.keys(env)) if (/^(?:npm_|NODE_(?!EXTRA_CA_CERTS$)|INIT_CWD$)/i.test(name)) delete env[name];
  if (version === process.versions.node) return {...env, PATH: `${dirname(process.execPath)}${delimiter}${env.PATH}`};
  const name = `node-${process.platform}-${process.arch}`;
  const place = join(work, `node-${version}`);
  mkdirSync(place, {recursive: true});
  writeFileSync(join(place, 'package.json'), '{"private": true}\n');
  run('npm', ['install', '--silent', '--no-audit', '--no-fund', `${name}@${version}`], {cwd: place});
  return {...env, PATH: `${join(place, 'node_modules', name, 'bin')}${delimiter}${env.PATH}`};
}
