import {readFileSync} from 'node:fs';
import {dirname, isAbsolute} from 'node:path';
import {noVersion, type PluginDefinition} from '../../../sdk/plugin/define/define-plugin.js';
import type {PluginManifest} from '../../../sdk/plugin/manifest.js';
import {errorDetail} from '../error-detail.js';
import {problem, type KernelProblem} from '../kernel-error.js';
import {manifestValidator} from '../schema/compiled-validators.js';
import {schemaFaults} from '../schema/schema-faults.js';
import {packageJsonOf} from './package-json.js';
import type {PluginLocation} from './plugin-location.js';

/** A manifest that matches the schema, with its place. */
export interface FoundPlugin extends PluginLocation {
  readonly name: string;
  readonly manifest: PluginManifest;
}

/** Reads one manifest, unless code defines it, and checks it against `plugin.schema.json`. */
export function readManifest(location: PluginLocation): {plugin?: FoundPlugin; problems: KernelProblem[]} {
  const {file, definition, built} = location;
  if (built !== undefined) return {plugin: {...location, name: built.name, manifest: built}, problems: []};
  if (definition !== undefined) return checkedManifest(completed(definition.manifest, location), location);
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (cause) {
    return {problems: [problem('MANIFEST_UNREADABLE', {detail: errorDetail(cause)}, {file, cause})]};
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    return {problems: [problem('MANIFEST_SYNTAX', {detail: errorDetail(cause)}, {file, cause, plugin: location.expectedName})]};
  }
  return checkedManifest(value, location);
}

/** A plugin that code defines has the name and the version of its package where the code gives none. */
function completed(manifest: PluginDefinition['manifest'], {file}: PluginLocation): unknown {
  const hasVersion = manifest.version !== noVersion;
  if ((manifest.name !== undefined && hasVersion) || !isAbsolute(file)) return manifest;
  const {name, version} = packageJsonOf(dirname(file)) ?? {};
  const unscoped = name?.replace(/^@[^/]*\//, '');
  return {...manifest, ...(manifest.name === undefined && {name: unscoped}), ...(!hasVersion && version !== undefined && {version})};
}

function checkedManifest(value: unknown, location: PluginLocation): {plugin?: FoundPlugin; problems: KernelProblem[]} {
  const {file} = location;
  const name = nameOf(value) ?? location.expectedName;
  const validate = manifestValidator();
  if (!validate(value)) {
    const problems = schemaFaults(validate.errors).map(({path, text: fault}) =>
      problem('MANIFEST_INVALID', {detail: path === '' ? `the manifest ${fault}` : `${path} ${fault}`}, {plugin: name, file, path}),
    );
    return {problems};
  }
  const manifest = value as PluginManifest;
  if (location.expectedName !== undefined && location.expectedName !== manifest.name) {
    const parameters = {expected: location.expectedName, name: manifest.name};
    return {problems: [problem('PLUGIN_NAME_MISMATCH', parameters, {plugin: manifest.name, file, path: 'name'})]};
  }
  return {plugin: {...location, name: manifest.name, manifest}, problems: []};
}

function nameOf(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, 'name')) return undefined;
  const {name} = value as {name: unknown};
  return typeof name === 'string' ? name : undefined;
}
