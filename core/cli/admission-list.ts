import {KernelError} from '../kernel/kernel-error.js';
import type {LoadedPlugin} from '../kernel/loaded-plugin.js';
import {importEntry} from '../kernel/construction/import-entry.js';
import {namedContributions, type NamedContribution} from '../kernel/selection/named-contributions.js';
import type {Selected} from '../kernel/selection/select.js';
import type {SelectionOptions} from '../kernel/selection/selection-options.js';
import type {AdmissionOptions} from '../../sdk/plugin/decorators.js';

/** An admission controller, its place in the chain, and whether it runs. */
export interface AdmissionRow {
  /** Undefined for one whose plugin is disabled: its code is not loaded. */
  readonly order: number | undefined;
  readonly name: string;
  readonly plugin: string;
  readonly state: 'on' | 'off';
  readonly why: string;
}

/** Place of controllers that do not say one. */
const usualOrder = 500;

/**
 * All admission controllers in the order in which they run. The order is in the code, so that of enabled plugins is imported; nothing is constructed.
 *
 * @throws KernelError for code that cannot be imported, or that does not fit its manifest
 */
export async function admissionRows({plugins, admission, featureGates}: Selected, options: SelectionOptions): Promise<AdmissionRow[]> {
  const orders = await ordersOf(plugins);
  const rows = [...namedContributions(plugins, 'admission').values()].map((entry): AdmissionRow => {
    const isOn = admission.has(entry.name);
    const isGateOff = entry.featureGate !== undefined && !featureGates.enabled(entry.featureGate);
    return {
      order: entry.pluginEnabled ? orders.get(entry.name) : undefined,
      name: entry.name,
      plugin: entry.plugin,
      state: isOn ? 'on' : 'off',
      why: isGateOff && entry.pluginEnabled ? `feature gate ${entry.featureGate} is off` : reason(entry, options),
    };
  });
  return rows.sort((a, b) => (a.order ?? Infinity) - (b.order ?? Infinity) || (a.name < b.name ? -1 : 1));
}

async function ordersOf(plugins: readonly LoadedPlugin[]): Promise<Map<string, number>> {
  const orders = new Map<string, number>();
  const problems: KernelError[] = [];
  for (const plugin of plugins) {
    const contributed = plugin.manifest.contributes?.admission ?? [];
    if (!plugin.enabled || contributed.length === 0) continue;
    try {
      const delivered = await importEntry(plugin);
      for (const {class: className, name} of contributed) {
        const options = delivered.find((one) => one.class === className)?.record.options as AdmissionOptions | undefined;
        orders.set(name, options?.order ?? usualOrder);
      }
    } catch (error) {
      if (!KernelError.is(error)) throw error;
      problems.push(error);
    }
  }
  KernelError.throwIfAny(problems.flatMap((error) => error.problems));
  return orders;
}

/** Who has decided on it: the last that says something counts. */
function reason({name, plugin, pluginEnabled}: NamedContribution, options: SelectionOptions): string {
  const {enableAdmissionPlugins = [], disableAdmissionPlugins = [], configuration = {}, optionName = (text: string) => text} = options;
  if (!pluginEnabled) return `plugin ${plugin} is disabled`;
  if (disableAdmissionPlugins.includes(name)) return optionName('disableAdmissionPlugins');
  if (enableAdmissionPlugins.includes(name)) return optionName('enableAdmissionPlugins');
  const {enable = [], disable = []} = configuration.admission ?? {};
  return enable.includes(name) || disable.includes(name) ? 'configuration file' : 'default';
}
