import type {RequestContent} from './request-content.js';
import type {BuiltInSigner} from './request-object.js';

type Rule = (content: RequestContent, usages: ReadonlySet<string>) => string | undefined;

/** Each signer's requirements for requests (docs/semantics/access.md#certificate-requests). */
const rules: Readonly<Record<BuiltInSigner, Rule>> = {
  'apiserver-client': (_content, usages) => clientUsageFault(usages),
  'apiserver-client-nodeagent': (content, usages) =>
    nodeFault(content) ??
    (content.names.length > 0 ? 'subjectAltNames are not allowed' : undefined) ??
    exactUsageFault(usages, ['key encipherment', 'digital signature', 'client auth']),
  'nodeagent-serving': (content, usages) =>
    nodeFault(content) ?? servingNameFault(content) ?? exactUsageFault(usages, ['key encipherment', 'digital signature', 'server auth']),
};

/** Why a signer does not sign a request; undefined if it does. */
export function signerFault(signer: BuiltInSigner, content: RequestContent, usages: readonly string[]): string | undefined {
  return rules[signer](content, new Set(usages));
}

function clientUsageFault(usages: ReadonlySet<string>): string | undefined {
  const allowed = ['digital signature', 'key encipherment', 'client auth'];
  const other = [...usages].find((usage) => !allowed.includes(usage));
  if (other !== undefined) return `invalid usage for client certificate: ${other}`;
  return usages.has('client auth') ? undefined : 'missing required usage for client certificate: client auth';
}

function exactUsageFault(usages: ReadonlySet<string>, wanted: readonly string[]): string | undefined {
  const isExact = usages.size === wanted.length && wanted.every((usage) => usages.has(usage));
  return isExact ? undefined : `usages did not match [${wanted.join(', ')}]`;
}

function nodeFault({organizations, commonName}: RequestContent): string | undefined {
  if (organizations.length !== 1 || organizations[0] !== 'system:nodes') return 'subject organization is not system:nodes';
  return commonName.startsWith('system:node:') ? undefined : 'subject common name does not begin with system:node:';
}

function servingNameFault({names}: RequestContent): string | undefined {
  if (!names.some(({type}) => type === 'dns' || type === 'ip')) return 'DNS or IP subjectAltName is required';
  const other = names.find(({type}) => type !== 'dns' && type !== 'ip');
  return other === undefined ? undefined : `subjectAltNames of the kind ${other.type} are not allowed`;
}
