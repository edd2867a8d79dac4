import {computed, signal} from '@preact/signals';
import {listMetadata} from './objects.js';
import {place, setQuery} from './location.js';

/** Those that are offered; more can be typed. */
const mostOffered = 1000;

/** The namespace that is looked at; empty for all. It is part of each address. */
export const namespace = computed(() => place.value.query['namespace'] ?? '');

/** Names of namespaces, where the user may list them. */
export const knownNamespaces = signal<readonly string[]>([]);

/** Asks once: who may see one namespace only types its name. */
export async function loadNamespaces(): Promise<void> {
  try {
    const items = await listMetadata('/api/v1/namespaces', mostOffered);
    knownNamespaces.value = items.map(({metadata}) => metadata.name);
  } catch {
    knownNamespaces.value = [];
  }
}

export function chooseNamespace(name: string): void {
  setQuery({namespace: name.trim()});
}
