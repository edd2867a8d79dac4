// The licences of packages whose code is in the bundle: they ask that their text goes with it.
import {readdirSync, readFileSync} from 'node:fs';
import {join} from 'node:path';

/** @param modules paths of all modules of the bundle */
export function notices(root, modules) {
  const folders = foldersOf(modules);
  // Packages of one author have the same text.
  const byText = new Map();
  for (const folder of folders) {
    const {name, version, license} = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    const files = readdirSync(folder).filter((file) => /^(?:licen[cs]e|copying|notice)/i.test(file));
    const text = files.map((file) => readFileSync(join(folder, file), 'utf8').trim()).join('\n\n');
    byText.set(text, [...(byText.get(text) ?? []), `${name} ${version} (${licenceText(license)})`]);
  }
  const parts = [...byText].map(([text, labels]) => `${labels.toSorted().join('\n')}\n\n${text}`);
  return `${parts.toSorted().join(`\n\n${'-'.repeat(80)}\n\n`)}\n`;
}

function licenceText(license) {
  return typeof license === 'string' ? license : 'see its Readme';
}

/** The packages of a bundle, as in `preact@11.2.0`, in order. @param modules paths of all its modules */
export function packagesOf(modules) {
  return [...foldersOf(modules)]
    .map((folder) => JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')))
    .map(({name, version}) => `${name}@${version}`)
    .sort();
}

function foldersOf(modules) {
  return new Set(modules.flatMap((id) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(id)?.[0] ?? []));
}
