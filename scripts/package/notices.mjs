// The licences of packages whose code is in the bundle: they ask that their text goes with it.
import {existsSync, readdirSync, readFileSync} from 'node:fs';
import {join} from 'node:path';

/** @param modules paths of all modules of the bundle */
export function notices(root, modules) {
  const folders = new Set(modules.flatMap((id) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(id)?.[0] ?? []));
  const parts = [...folders].map((folder) => {
    const {name, version, license} = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    const files = readdirSync(folder).filter((file) => /^(?:licen[cs]e|copying|notice)/i.test(file));
    const texts = files
      .map((file) => join(folder, file))
      .filter((file) => existsSync(file))
      .map((file) => readFileSync(file, 'utf8').trim());
    return {label: `${name} ${version}`, text: [`${name} ${version} (${licenceText(license)})`, ...texts].join('\n\n')};
  });
  const rule = `\n\n${'-'.repeat(80)}\n\n`;
  return `${parts
    .toSorted((left, right) => (left.label < right.label ? -1 : 1))
    .map(({text}) => text)
    .join(rule)}\n`;
}

function licenceText(license) {
  return typeof license === 'string' ? license : 'see its Readme';
}
