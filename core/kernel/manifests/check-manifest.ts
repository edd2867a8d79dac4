import {existsSync} from 'node:fs';
import {join} from 'node:path';
import type {ResourceDefinition} from '../../../sdk/contracts/resource-definition.js';
import {problem, type KernelProblem} from '../kernel-error.js';
import {declaredClasses} from './contributed-classes.js';
import {lazyProblem} from './lazy-plugin.js';
import type {FoundPlugin} from './read-manifest.js';

/** Problems of a single manifest beyond its schema: missing files, contradictions within a resource type. */
export function checkManifest(plugin: FoundPlugin): KernelProblem[] {
  if (plugin.built !== undefined) return [];
  return [
    ...checkEntry(plugin),
    ...checkLazy(plugin),
    ...checkViews(plugin),
    ...(plugin.manifest.contributes?.resources ?? []).flatMap((definition, index) => checkResource(plugin, definition, index)),
  ];
}

function checkEntry(plugin: FoundPlugin): KernelProblem[] {
  const {name, file, folder, manifest, definition} = plugin;
  if (definition !== undefined) return [];
  if (manifest.entry === undefined) {
    const classes = [...new Set(declaredClasses(manifest).map(({class: name}) => name))];
    if (classes.length === 0) return [];
    return [problem('ENTRY_MISSING', {classes: classes.join(', ')}, {plugin: name, file, path: 'entry'})];
  }
  if (existsSync(join(folder, manifest.entry))) return [];
  return [problem('ENTRY_NOT_FOUND', {entry: manifest.entry}, {plugin: name, file, path: 'entry'})];
}

function checkViews({name, file, folder, manifest}: FoundPlugin): KernelProblem[] {
  return (manifest.contributes?.views ?? []).flatMap(({module}, index) =>
    existsSync(join(folder, module))
      ? []
      : [problem('VIEW_NOT_FOUND', {module}, {plugin: name, file, path: `contributes.views[${index}].module`})],
  );
}

function checkLazy(plugin: FoundPlugin): KernelProblem[] {
  return declaredClasses(plugin.manifest).flatMap((declared) => lazyProblem(plugin, declared) ?? []);
}

function checkResource(plugin: FoundPlugin, definition: ResourceDefinition, index: number): KernelProblem[] {
  const {name, file, folder} = plugin;
  const problems: KernelProblem[] = [];
  const at = (path: string) => ({plugin: name, file, path: `contributes.resources[${index}].${path}`});
  const seen = new Set<string>();
  for (const [position, version] of definition.versions.entries()) {
    if (seen.has(version.name)) {
      problems.push(problem('RESOURCE_INVALID', {detail: `the version ${version.name} stands twice`}, at(`versions[${position}].name`)));
    }
    seen.add(version.name);
    if (typeof version.schema !== 'string') continue;
    const [path] = version.schema.split('#') as [string];
    if (path !== '' && existsSync(join(folder, path))) continue;
    problems.push(problem('SCHEMA_NOT_FOUND', {reference: version.schema}, at(`versions[${position}].schema`)));
  }
  const storage = definition.versions.filter((version) => version.storage === true).length;
  if (storage > 1 || (storage === 0 && definition.versions.length > 1)) {
    const detail = `exactly one version must be the storage version, not ${storage}`;
    problems.push(problem('RESOURCE_INVALID', {detail}, at('versions')));
  }
  return problems;
}
