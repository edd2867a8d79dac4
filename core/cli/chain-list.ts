import {KernelError} from '../kernel/kernel-error.js';
import type {LoadedPlugin} from '../kernel/manifests/loaded-plugin.js';
import {importEntry} from '../kernel/loading/import-entry.js';
import {declaredClasses} from '../kernel/manifests/contributed-classes.js';
import {usualOrder} from '../kernel/selection/authorization-modes.js';
import {namedContributions} from '../kernel/selection/named-contributions.js';
import type {Selected} from '../kernel/selection/select.js';
import type {SelectionOptions} from '../kernel/selection/selection-options.js';
import type {ChainKind} from './chain-kinds.js';

/** A contribution, its place in the chain, and whether it takes part. */
export interface ChainRow {
  /** Undefined for one whose plugin is disabled: its code is not loaded. */
  readonly order: number | undefined;
  readonly name: string;
  readonly plugin: string;
  readonly state: 'on' | 'off';
  readonly why: string;
}

/**
 * All contributions of a kind in the order in which they are asked. The order is in the code, so that of enabled plugins is imported; nothing is constructed.
 *
 * @throws KernelError for code that cannot be imported, or that does not fit its manifest
 */
export async function chainRows(kind: ChainKind, selected: Selected, options: SelectionOptions): Promise<ChainRow[]> {
  const orders = await ordersOf(kind, selected.plugins);
  const states = kind === 'admission' ? admissionStates(selected, options) : undefined;
  const modes = selected.authorizationModes;
  const placed = selected.plugins.flatMap((plugin) =>
    declaredClasses(plugin.manifest)
      .filter((declared) => declared.kind === kind)
      .map(({name, mode}) => {
        const own = orders.get(`${plugin.name} ${name}`);
        const order = own === undefined ? undefined : modes.orderOf(mode, own);
        const state = states?.get(`${plugin.name} ${name}`) ?? modeState(mode, plugin, selected, options) ?? stateOf(plugin);
        const row: ChainRow = {order, name, plugin: plugin.name, ...state};
        return {row, order: order ?? Number.MAX_VALUE, name, mode};
      }),
  );
  return placed.sort((a, b) => modes.compare(a, b)).map(({row}) => row);
}

type State = Pick<ChainRow, 'state' | 'why'>;

function stateOf({name, enabled, why}: LoadedPlugin): State {
  return enabled ? {state: 'on', why: 'default'} : {state: 'off', why: `plugin ${name} is disabled (${why})`};
}

/** Who has decided on an authorizer that has a mode; undefined for others. */
function modeState(
  mode: string | undefined,
  {enabled}: LoadedPlugin,
  {authorizationModes}: Selected,
  {authorizationMode, optionName = (text: string) => text}: SelectionOptions,
): State | undefined {
  if (mode === undefined || !enabled) return undefined;
  const given = authorizationMode === undefined ? 'configuration file' : optionName('authorizationMode');
  return {state: authorizationModes.asks(mode) ? 'on' : 'off', why: authorizationModes.isGiven ? given : 'default'};
}

async function ordersOf(kind: ChainKind, plugins: readonly LoadedPlugin[]): Promise<Map<string, number>> {
  const orders = new Map<string, number>();
  const problems: KernelError[] = [];
  for (const plugin of plugins) {
    if (!plugin.enabled || !declaredClasses(plugin.manifest).some((declared) => declared.kind === kind)) continue;
    try {
      for (const delivered of await importEntry(plugin))
        if (delivered.kind === kind) orders.set(`${plugin.name} ${delivered.name}`, delivered.record.options.order ?? usualOrder);
    } catch (error) {
      if (!KernelError.is(error)) throw error;
      problems.push(error);
    }
  }
  KernelError.throwIfAny(problems.flatMap((error) => error.problems));
  return orders;
}

/** Admission controllers are also turned on and off one by one. */
function admissionStates({plugins, admission, featureGates}: Selected, options: SelectionOptions): Map<string, State> {
  const byName = new Map(plugins.map((plugin) => [plugin.name, plugin]));
  return new Map(
    [...namedContributions(plugins, 'admission').values()].map(({name, plugin, pluginEnabled, featureGate}) => {
      const isGateOff = featureGate !== undefined && !featureGates.enabled(featureGate);
      const why = isGateOff ? `feature gate ${featureGate} is off` : admissionReason(name, options);
      const state: State = pluginEnabled ? {state: admission.has(name) ? 'on' : 'off', why} : stateOf(byName.get(plugin)!);
      return [`${plugin} ${name}`, state];
    }),
  );
}

/** Who has decided on it: the last that says something counts. */
function admissionReason(name: string, options: SelectionOptions): string {
  const {enableAdmissionPlugins = [], disableAdmissionPlugins = [], configuration = {}, optionName = (text: string) => text} = options;
  if (disableAdmissionPlugins.includes(name)) return optionName('disableAdmissionPlugins');
  if (enableAdmissionPlugins.includes(name)) return optionName('enableAdmissionPlugins');
  const {enable = [], disable = []} = configuration.admission ?? {};
  return enable.includes(name) || disable.includes(name) ? 'configuration file' : 'default';
}
