import type {ContributionKind} from '../../../sdk/plugin/decorators.js';
import type {PluginManifest} from '../../../sdk/plugin/manifest.js';

/** One class that a manifest declares. */
export interface DeclaredClass {
  readonly kind: ContributionKind;
  /** Name of the export. */
  readonly class: string;
  /** Name of the contribution for operators; by default the class name. */
  readonly name: string;
  /** The authorization mode that it provides; undefined for authorizers that always run, and for other kinds. */
  readonly mode?: string;
  /** Path of the declaration in the manifest. */
  readonly path: string;
  /** Its place in the list of the manifest. */
  readonly index: number;
}

const known = new WeakMap<PluginManifest, readonly DeclaredClass[]>();

/** Every class that a manifest declares, in manifest order. A strategy that serves several types is listed once. */
export function declaredClasses(manifest: PluginManifest): readonly DeclaredClass[] {
  let declared = known.get(manifest);
  if (declared === undefined) known.set(manifest, (declared = classesIn(manifest)));
  return declared;
}

function classesIn(manifest: PluginManifest): DeclaredClass[] {
  const contributes = manifest.contributes ?? {};
  const declared: DeclaredClass[] = [];
  const plain = (kind: ContributionKind, member: string, names: readonly string[] = []) => {
    for (const [index, name] of names.entries()) declared.push({index, kind, class: name, name, path: `contributes.${member}[${index}]`});
  };

  for (const [index, entry] of (contributes.stores ?? []).entries()) {
    declared.push({index, kind: 'store', class: entry.class, name: entry.class, path: `contributes.stores[${index}].class`});
  }
  const strategies = new Set<string>();
  for (const [index, {strategy}] of (contributes.resources ?? []).entries()) {
    if (strategy === undefined || strategies.has(strategy)) continue;
    strategies.add(strategy);
    declared.push({index, kind: 'strategy', class: strategy, name: strategy, path: `contributes.resources[${index}].strategy`});
  }
  const handlers = new Set<string>();
  const handler = (index: number, name: string | undefined, path: string) => {
    if (name === undefined || handlers.has(name)) return;
    handlers.add(name);
    declared.push({index, kind: 'virtualResource', class: name, name, path: `contributes.resources[${index}]${path}`});
  };
  for (const [index, {handler: own, versions}] of (contributes.resources ?? []).entries()) {
    handler(index, own, '.handler');
    for (const [position, {subresources}] of versions.entries()) {
      for (const [name, subresource] of Object.entries(subresources ?? {}))
        handler(index, subresource.handler, `.versions[${position}].subresources.${name}.handler`);
    }
  }
  plain('authenticator', 'authenticators', contributes.authenticators);
  for (const [index, entry] of (contributes.authorizers ?? []).entries()) {
    const path = `contributes.authorizers[${index}]`;
    if (typeof entry === 'string') declared.push({index, kind: 'authorizer', class: entry, name: entry, path});
    else declared.push({index, kind: 'authorizer', class: entry.class, name: entry.mode, mode: entry.mode, path: `${path}.class`});
  }
  for (const [index, entry] of (contributes.admission ?? []).entries()) {
    declared.push({index, kind: 'admission', class: entry.class, name: entry.name, path: `contributes.admission[${index}].class`});
  }
  plain('webhookCaller', 'webhookCallers', contributes.webhookCallers);
  plain('auditSink', 'auditSinks', contributes.auditSinks);
  for (const [index, entry] of (contributes.controllers ?? []).entries()) {
    declared.push({index, kind: 'controller', class: entry.class, name: entry.name, path: `contributes.controllers[${index}].class`});
  }
  for (const [index, entry] of (contributes.routes ?? []).entries()) {
    declared.push({index, kind: 'route', class: entry.class, name: entry.path, path: `contributes.routes[${index}].class`});
  }
  for (const [index, entry] of (manifest.provides ?? []).entries())
    declared.push({index, kind: 'service', class: entry.class, name: entry.service, path: `provides[${index}].class`});
  return declared;
}
