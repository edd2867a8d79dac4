import {groupResourceText} from '../../../sdk/objects/group-version.js';
import {shownWord} from '../../../sdk/values/shown-text.js';
import type {PluginManifest} from '../../../sdk/plugin/manifest.js';

/** `resource configmaps`, `admission NamespaceLifecycle`, … */
export function contributionList({contributes: all = {}, provides = []}: PluginManifest): string[] {
  return [
    ...(all.resources ?? []).map(({group, names}) => `resource ${groupResourceText({group, resource: names.plural})}`),
    ...(all.stores ?? []).map(({schemes}) => `store ${schemes.join('|')}`),
    ...(all.authenticators ?? []).map((name) => `authenticator ${name}`),
    ...(all.authorizers ?? []).map((entry) => `authorizer ${typeof entry === 'string' ? entry : entry.mode}`),
    ...(all.admission ?? []).map(({name}) => `admission ${name}`),
    ...(all.webhookCallers ?? []).map((name) => `webhook caller ${name}`),
    ...(all.auditSinks ?? []).map((name) => `audit sink ${name}`),
    ...(all.controllers ?? []).map(({name}) => `controller ${name}`),
    ...(all.routes ?? []).map(({path}) => `route ${shownWord(path)}`),
    ...provides.map(({service}) => `service ${service}`),
  ];
}
