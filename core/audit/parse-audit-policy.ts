import type {AuditLevel, AuditStage, NamingProfile} from '../../sdk/index.js';
import type {AuditedResources, AuditRule} from '../registry/audit/audit-policy.js';
import {ConfigurationReader, type ConfigurationFault} from '../configuration/configuration-reader.js';

const levels: readonly AuditLevel[] = ['None', 'Metadata', 'Request', 'RequestResponse'];
const stages: readonly AuditStage[] = ['RequestReceived', 'ResponseStarted', 'ResponseComplete', 'Panic'];
const ruleMembers = [
  ...['level', 'users', 'userGroups', 'verbs', 'resources', 'namespaces', 'nonResourceURLs', 'omitStages', 'omitManagedFields'],
] as const;
const subdomain = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;

/**
 * Understands a `Policy` of `audit.orch/v1` (by the naming profile), with the rules of Kubernetes 1.26.
 *
 * @returns all faults; where there are none, the rules
 */
export function parseAuditPolicy(
  value: unknown,
  naming: NamingProfile,
): {rules: readonly AuditRule[]; faults: readonly ConfigurationFault[]} {
  const reader = new ConfigurationReader();
  const root = reader.object(value, '', ['apiVersion', 'kind', 'metadata', 'rules', 'omitStages', 'omitManagedFields']);
  if (!root) return {rules: [], faults: reader.faults};
  const apiVersion = `${naming.group('audit.orch')}/v1`;
  if (root.apiVersion !== apiVersion) reader.fault('apiVersion', `must be ${apiVersion}`);
  if (root.kind !== 'Policy') reader.fault('kind', 'must be Policy');
  const general = {
    omitStages: readStages(reader, root.omitStages, 'omitStages'),
    omitManagedFields: flag(reader, root.omitManagedFields, 'omitManagedFields') ?? false,
  };
  const rules = reader.list(root.rules, 'rules').flatMap((item, index) => {
    const rule = readRule(reader, item, `rules[${index}]`, general);
    return rule ? [rule] : [];
  });
  return {rules, faults: reader.faults};
}

function readRule(
  reader: ConfigurationReader,
  value: unknown,
  path: string,
  general: {readonly omitStages: readonly AuditStage[]; readonly omitManagedFields: boolean},
): AuditRule | undefined {
  const rule = reader.object(value, path, ruleMembers);
  if (!rule) return undefined;
  if (!levels.includes(rule.level as AuditLevel)) reader.fault(`${path}.level`, `must be one of ${levels.join(', ')}`);
  const namespaces = texts(reader, rule.namespaces, `${path}.namespaces`);
  const resources = optionalList(reader, rule.resources, `${path}.resources`).map((item, index) =>
    readResources(reader, item, `${path}.resources[${index}]`),
  );
  const nonResourceURLs = texts(reader, rule.nonResourceURLs, `${path}.nonResourceURLs`);
  for (const [index, url] of nonResourceURLs.entries()) checkUrl(reader, url, `${path}.nonResourceURLs[${index}]`);
  if (nonResourceURLs.length > 0 && (resources.length > 0 || namespaces.length > 0))
    reader.fault(`${path}.nonResourceURLs`, 'cannot be given together with resources or namespaces');
  return {
    level: rule.level as AuditLevel,
    users: texts(reader, rule.users, `${path}.users`),
    userGroups: texts(reader, rule.userGroups, `${path}.userGroups`),
    verbs: texts(reader, rule.verbs, `${path}.verbs`),
    resources,
    namespaces,
    nonResourceURLs,
    omitStages: new Set([...general.omitStages, ...readStages(reader, rule.omitStages, `${path}.omitStages`)]),
    omitManagedFields: flag(reader, rule.omitManagedFields, `${path}.omitManagedFields`) ?? general.omitManagedFields,
  };
}

function readResources(reader: ConfigurationReader, value: unknown, path: string): AuditedResources {
  const entry = reader.object(value, path, ['group', 'resources', 'resourceNames']) ?? {};
  const {group = ''} = entry;
  if (typeof group !== 'string' || (group !== '' && !subdomain.test(group)))
    reader.fault(`${path}.group`, 'must be the name of an API group without its version, or "" for the core group');
  const resources = texts(reader, entry.resources, `${path}.resources`);
  const resourceNames = texts(reader, entry.resourceNames, `${path}.resourceNames`);
  if (resourceNames.length > 0 && resources.length === 0) reader.fault(`${path}.resourceNames`, 'needs resources beside it');
  return {group: String(group), resources, resourceNames};
}

function checkUrl(reader: ConfigurationReader, url: string, path: string): void {
  if (url === '*') return;
  if (!url.startsWith('/')) reader.fault(path, 'must begin with /');
  if (url.slice(0, -1).includes('*')) reader.fault(path, 'may have * as its last character only');
}

function readStages(reader: ConfigurationReader, value: unknown, path: string): AuditStage[] {
  return texts(reader, value, path).filter((stage, index): stage is AuditStage => {
    const isKnown = (stages as readonly string[]).includes(stage);
    if (!isKnown) reader.fault(`${path}[${index}]`, `must be one of ${stages.join(', ')}`);
    return isKnown;
  });
}

function optionalList(reader: ConfigurationReader, value: unknown, path: string): readonly unknown[] {
  if (value === undefined || value === null) return [];
  if (Array.isArray(value)) return value as unknown[];
  reader.fault(path, 'must be a list');
  return [];
}

/** Texts, which may be empty: the namespace "" stands for what is in none. */
function texts(reader: ConfigurationReader, value: unknown, path: string): string[] {
  return optionalList(reader, value, path).flatMap((item, index) => {
    if (typeof item === 'string') return [item];
    reader.fault(`${path}[${index}]`, 'must be a string');
    return [];
  });
}

function flag(reader: ConfigurationReader, value: unknown, path: string): boolean | undefined {
  if (value === undefined || value === null || typeof value === 'boolean') return value ?? undefined;
  reader.fault(path, 'must be true or false');
  return undefined;
}
