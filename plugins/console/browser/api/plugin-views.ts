import {signal} from '@preact/signals';
import {requestJson} from './request.js';
import type {ViewPermission} from './view-calls.js';

/** A view that a plugin brings. */
export interface PluginView {
  readonly plugin: string;
  readonly title: string;
  /** Path of its module. */
  readonly module: string;
  /** Undefined for a card on the overview. */
  readonly resource?: {readonly group: string; readonly resource: string};
  readonly permissions: readonly ViewPermission[];
}

export const pluginViews = signal<readonly PluginView[]>([]);

export async function loadPluginViews(): Promise<void> {
  pluginViews.value = (await requestJson<{items: readonly PluginView[]}>('/console/views/')).items;
}

/** The pages for a type. */
export function viewsOf({group, resource}: {readonly group: string; readonly resource: string}): readonly PluginView[] {
  return pluginViews.value.filter(({resource: own}) => own?.group === group && own.resource === resource);
}
