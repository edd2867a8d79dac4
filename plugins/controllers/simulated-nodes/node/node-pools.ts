import {dnsLabelFaults, dnsSubdomainFaults, labelValueFaults, normalQuantity, qualifiedNameFaults} from '../../../../sdk/index.js';
import type {NodePool} from './node-form.js';

/** Of all pools together. */
export const mostNodes = 20_000;
const mostPools = 100;

const defaultCapacity = {cpu: '4', memory: '16Gi', 'ephemeral-storage': '100Gi', pods: '110'};
const effects = ['NoSchedule', 'PreferNoSchedule', 'NoExecute'];

/**
 * The pools that a setting names: `3`, `3:cpu=8,memory=32Gi,labels=disk=ssd+tier=front,zones=a+b,taints=gpu=yes:NoSchedule,name=worker`, several with blanks between.
 *
 * @throws Error in one sentence
 */
export function nodePools(text: string): NodePool[] {
  const words = text.split(/\s+/).filter((word) => word !== '');
  if (words.length > mostPools) throw new Error(`--nodes names more than ${mostPools} kinds of nodes`);
  const pools = words.map((word, index) => poolOf(word, index === 0 ? 'node' : `node-${String.fromCharCode(97 + (index % 26))}`));
  const prefixes = new Set(pools.map(({prefix}) => prefix));
  if (prefixes.size < pools.length) throw new Error('--nodes names two kinds of nodes alike: give them names, as in 3:name=large');
  const count = pools.reduce((sum, pool) => sum + pool.count, 0);
  if (count > mostNodes) throw new Error(`--nodes asks for ${count} nodes: there can be ${mostNodes} at most`);
  return pools;
}

function poolOf(word: string, name: string): NodePool {
  const [, number = '', rest = ''] = /^(\d{1,9})(?::(.*))?$/.exec(word) ?? [];
  if (number === '') throw new Error(`--nodes: ${JSON.stringify(word)} does not begin with a number of nodes, as in 3:cpu=8,memory=32Gi`);
  const capacity: Record<string, string> = {...defaultCapacity};
  const labels: Record<string, string> = {};
  const taints: {key: string; value?: string; effect: string}[] = [];
  let prefix = name;
  let zones: string[] = [];
  for (const part of rest.split(',').filter((each) => each !== '')) {
    const at = part.indexOf('=');
    const key = at < 0 ? part : part.slice(0, at);
    const value = at < 0 ? '' : part.slice(at + 1);
    if (value === '') throw new Error(`--nodes: ${JSON.stringify(part)} has no value`);
    if (key === 'name') prefix = valid(value, dnsSubdomainFaults(`${value}-1`), 'a name');
    else if (key === 'labels') Object.assign(labels, labelsOf(value));
    else if (key === 'taints') taints.push(...value.split('+').map(taintOf));
    else if (key === 'zones') zones = value.split('+').map((zone) => valid(zone, dnsLabelFaults(zone), 'the name of a zone'));
    else capacity[resourceName(key)] = amount(key, value);
  }
  return {count: Number(number), prefix, capacity, labels, taints, zones};
}

function labelsOf(text: string): Record<string, string> {
  const pairs = text.split('+').map((pair): [string, string] => {
    const [key = '', value = ''] = pair.split('=', 2);
    return [valid(key, qualifiedNameFaults(key), 'the key of a label'), valid(value, labelValueFaults(value), 'the value of a label')];
  });
  return Object.fromEntries(pairs);
}

function taintOf(text: string): {key: string; value?: string; effect: string} {
  const [pair = '', effect = ''] = text.split(':', 2);
  if (!effects.includes(effect))
    throw new Error(`--nodes: the taint ${JSON.stringify(text)} has none of the effects ${effects.join(', ')}`);
  const [key = '', value] = pair.split('=', 2);
  valid(key, qualifiedNameFaults(key), 'the key of a taint');
  return {key, ...(value === undefined ? {} : {value: valid(value, labelValueFaults(value), 'the value of a taint')}), effect};
}

/** Resources other than the well-known ones are extended ones, which have a domain. */
function resourceName(key: string): string {
  if (Object.hasOwn(defaultCapacity, key) || key.startsWith('hugepages-')) return key;
  if (!key.includes('/')) throw new Error(`--nodes: ${JSON.stringify(key)} is neither a resource nor name, labels, taints or zones`);
  return valid(key, qualifiedNameFaults(key), 'the name of a resource');
}

function amount(key: string, text: string): string {
  const quantity = normalQuantity(text);
  if (quantity === undefined || quantity.startsWith('-')) throw new Error(`--nodes: ${JSON.stringify(text)} is no amount of ${key}`);
  return quantity;
}

function valid(text: string, faults: readonly string[], what: string): string {
  if (faults.length > 0) throw new Error(`--nodes: ${JSON.stringify(text)} is not ${what}: ${faults[0]}`);
  return text;
}
