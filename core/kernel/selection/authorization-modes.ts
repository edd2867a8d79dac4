import type {PluginManifest} from '../../../sdk/plugin/manifest.js';
import {declaredClasses} from '../manifests/contributed-classes.js';
import {problem, type KernelProblem} from '../kernel-error.js';
import {nameList} from '../nearest-name.js';
import type {NamedContribution} from './named-contributions.js';

/** Every authorization mode in manifests, sorted. */
export function modesOf(manifests: readonly PluginManifest[]): string[] {
  return [...new Set(manifests.flatMap((manifest) => declaredClasses(manifest).flatMap(({mode}) => mode ?? [])))].sort();
}

/** Place of contributions that do not say one. */
export const usualOrder = 500;

interface Placed {
  readonly order: number;
  readonly name: string;
  readonly mode?: string | undefined;
}

/** The selected authorization modes, and the order of authorizers. */
export class AuthorizationModes {
  readonly #names: readonly string[];
  /** Whether the operator named them, and so defined their order. */
  readonly isGiven: boolean;

  constructor(names: readonly string[], isGiven: boolean) {
    this.#names = names;
    this.isGiven = isGiven;
  }

  /** @param mode undefined for an authorizer without one, which is always asked */
  asks(mode: string | undefined): boolean {
    return mode === undefined || this.#names.includes(mode);
  }

  /** @param own the order of the class, for authorizers that the operator has not ordered */
  orderOf(mode: string | undefined, own: number = usualOrder): number {
    return this.isGiven && mode !== undefined ? usualOrder : own;
  }

  /** Sorts contributions: by order, equal ones by the places of their modes, those without after them by name. */
  compare(left: Placed, right: Placed): number {
    return (
      left.order - right.order || this.#place(left) - this.#place(right) || (left.name < right.name ? -1 : left.name > right.name ? 1 : 0)
    );
  }

  #place({mode}: Placed): number {
    const index = mode === undefined ? -1 : this.#names.indexOf(mode);
    return index < 0 ? this.#names.length : index;
  }
}

/**
 * The modes that are asked: those of the list in its order; without one, by name, those of enabled plugins that are on by default.
 *
 * @param path where the list is, for messages
 */
export function selectAuthorizationModes(
  known: ReadonlyMap<string, NamedContribution>,
  list: readonly string[] | undefined,
  path: string,
  problems: KernelProblem[],
): AuthorizationModes {
  if (list === undefined) {
    const names = [...known.values()].filter((entry) => entry.pluginEnabled && entry.enabledByDefault).map(({name}) => name);
    return new AuthorizationModes(names.sort(), false);
  }
  const invalid = (detail: string) => problems.push(problem('AUTHORIZATION_MODES_INVALID', {detail}, {path}));
  if (list.length === 0) invalid('at least one authorization mode must be named');
  for (const [index, name] of list.entries()) {
    const found = known.get(name);
    if (found === undefined) {
      problems.push(problem('UNKNOWN_AUTHORIZATION_MODE', {name, known: nameList(known.keys())}, {path}));
    } else if (!found.pluginEnabled) {
      problems.push(problem('PLUGIN_DISABLED', {what: `the authorization mode ${name}`, plugin: found.plugin}, {path}));
    } else if (list.indexOf(name) !== index) invalid(`the authorization mode ${name} is named twice`);
  }
  return new AuthorizationModes(list, true);
}
