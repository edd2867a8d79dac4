import {shownText} from '../../sdk/values/shown-text.js';

/**
 * Every problem that the kernel reports: code and message template. `docs/errors.md` explains them; a test compares
 * the two. Retired codes are never reused.
 */
export const kernelErrors = {
  // Finding and reading manifests.
  PLUGIN_NOT_FOUND: '{reference} is no plugin: {detail}',
  PLUGIN_NAME_MISMATCH: 'the configuration calls it {expected}, its manifest {name}',
  MANIFEST_UNREADABLE: 'the manifest cannot be read: {detail}',
  MANIFEST_SYNTAX: 'the manifest is not JSON: {detail}',
  MANIFEST_INVALID: '{detail}',
  KERNEL_RANGE: 'it works with kernel {range}, and this is kernel {version}',
  PEER_RANGE: 'its package.json says that it works with {package} {range}, and this is {version}',
  ENTRY_MISSING: 'it contributes classes ({classes}) but names no entry module',
  ENTRY_NOT_FOUND: 'the entry module {entry} does not exist',
  SCHEMA_NOT_FOUND: 'the schema file {reference} does not exist',
  VIEW_NOT_FOUND: 'the module {module} of a view does not exist',
  RESOURCE_INVALID: '{detail}',
  LAZY_INVALID: 'it is lazy, but the {kind} {class} is needed at the start',
  // Conflicts between manifests.
  DUPLICATE_PLUGIN: 'the name is also used by {other}',
  DUPLICATE_CONTRIBUTION: 'the {kind} {name} is also contributed by {other}',
  DUPLICATE_FEATURE_GATE: 'the feature gate {name} is also declared by {other}',
  REQUIREMENT_MISSING: 'it requires the plugin {required}, which is not there: add it ({option} WHERE_IT_IS)',
  REQUIREMENT_DISABLED:
    'it requires the plugin {required}, which is disabled ({why}): enable it ({option} {required}), or disable {name} too',
  REQUIREMENT_VERSION: 'it requires the plugin {required} {range}, and that is {version}',
  SERVICE_MISSING: 'it requires the service {service}, which no plugin provides: add one that does ({option} WHERE_IT_IS)',
  SERVICE_DISABLED:
    'it requires the service {service} of the plugin {provider}, which is disabled ({why}): enable it ({option} {provider}), or disable {name} too',
  SERVICE_VERSION: 'it requires the service {service} {range}, and the plugin {provider} provides {version}',
  REQUIREMENT_CYCLE: 'plugins require each other: {cycle}',
  // Options and configuration.
  CONTRADICTION: '{name} is both enabled and disabled by {option}',
  UNKNOWN_PROFILE: 'there is no profile {name}; {hint}',
  UNKNOWN_PLUGIN: 'there is no plugin {name}; {hint}',
  UNKNOWN_ADMISSION_PLUGIN: 'there is no admission plugin {name}; {hint}',
  UNKNOWN_AUTHORIZATION_MODE: 'there is no authorization mode {name}; there are {known}',
  AUTHORIZATION_MODES_INVALID: '{detail}',
  UNKNOWN_CONTROLLER: 'there is no controller {name}; {hint}',
  UNKNOWN_FEATURE_GATE: 'there is no feature gate {name}; {hint}',
  UNKNOWN_STORE: 'no plugin opens the store {url}; known are {known}',
  PLUGIN_DISABLED: '{what} belongs to the plugin {plugin}, which is disabled: enable that plugin too',
  FEATURE_GATE_LOCKED: 'cannot set feature gate {name} to {value}, feature is locked to {locked}',
  FEATURE_GATE_INVALID: '{text} is no feature gate setting; write NAME=true or NAME=false',
  CONFIG_SCHEMA_INVALID: 'the schema of its settings cannot be used: {detail}',
  CONFIG_INVALID: '{detail}',
  CONFIG_VERSION: 'its settings are those of version {given}, and it takes those of version {version}: {hint}',
  CONFIG_MIGRATION_MISSING: 'its settings are at version {version}, but {entry} exports no function migrateConfig',
  CONFIG_MIGRATION_FAILED: 'migrating its settings from version {given} to {version} failed: {detail}',
  // Loading code.
  IMPORT_FAILED: 'importing {entry} failed: {detail}',
  DEFINITION_MISSING: 'its default export was not made by definePlugin',
  EXPORT_MISSING: 'it declares the {kind} {class}, but {entry} has no such export',
  DECORATOR_MISSING: 'it declares the {kind} {class}, but that export is no class decorated with @{kind}',
  DECORATOR_MISMATCH: 'it declares the {kind} {class}, but that class is decorated with @{actual}',
  CONTRIBUTION_UNDECLARED: '{entry} exports the {kind} {class}, which the manifest does not name',
  CONSTRUCTION_FAILED: 'constructing {class} failed: {detail}',
  METHOD_MISSING: 'the {kind} {class} has no method {method}',
  METHOD_MISSPELLED: 'the {kind} {class} has a method {method}, which nobody calls; did you mean {meant}?',
  // Lifecycle.
  START_FAILED: 'starting {contribution} failed: {detail}',
  START_BROKEN: '{contribution} of the plugin {other} could not start, because {hook} failed: {detail}',
  START_TIMEOUT: 'starting {contribution} took longer than {seconds} s',
  START_ABORTED: 'the start was given up before {contribution} ran: {detail}',
  STOP_FAILED: 'stopping {contribution} failed: {detail}',
  STOP_TIMEOUT: 'stopping {contribution} took longer than {seconds} s',
} as const;

/** Problems by code, each with the template of its message: `{name}` is a parameter. */
export type ErrorCatalogue = Readonly<Record<string, string>>;

export type KernelErrorCode = keyof typeof kernelErrors;

type Placeholders<T extends string> = T extends `${string}{${infer Name}}${infer Rest}` ? Name | Placeholders<Rest> : never;

/** The values that a template needs. */
export type TemplateParameters<T extends string> = Readonly<Record<Placeholders<T>, string>>;

/** Fills in the parameters of a template. The result is one line, whatever they contain. */
export function errorText<T extends string>(template: T, parameters: TemplateParameters<T>): string {
  const values = new Map<string, string>(Object.entries(parameters));
  return template.replaceAll(/\{(\w+)\}/g, (whole, name: string) => {
    const value = values.get(name);
    return value === undefined ? whole : shownText(value);
  });
}
