import type {RequestContent} from './request-content.js';
import type {BuiltInSigner} from './request-object.js';

type Rule = (content: RequestContent, usages: ReadonlySet<string>) => string | undefined;

/** Each signer's requirements for requests (docs/semantics/access.md#certificate-requests), in the order and words of Kubernetes. */
const rules: Readonly<Record<BuiltInSigner, Rule>> = {
  'apiserver-client': (_content, usages) => clientUsageFault(usages),
  'apiserver-client-nodeagent': (content, usages) =>
    organizationFault(content) ??
    nameFault(content, clientNames) ??
    commonNameFault(content) ??
    nodeUsageFault(usages, ['client auth', 'digital signature', 'key encipherment']),
  'nodeagent-serving': (content, usages) =>
    organizationFault(content) ??
    (content.names.some(({type}) => type === 'dns' || type === 'ip') ? undefined : 'DNS or IP subjectAltName is required') ??
    nameFault(content, servingNames) ??
    nodeUsageFault(usages, ['digital signature', 'key encipherment', 'server auth']) ??
    commonNameFault(content),
};

/** Kinds of names by how refusals call them, in the order in which they are looked for. */
const servingNames = {email: 'Email', url: 'URI'};
const clientNames = {dns: 'DNS', email: 'Email', ip: 'IP', url: 'URI'};

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

/** Keys other than RSA are not used for encipherment: kubelets leave that usage out for them. */
function nodeUsageFault(usages: ReadonlySet<string>, wanted: readonly string[]): string | undefined {
  const lacks = wanted.filter((usage) => !usages.has(usage));
  const isMet = usages.size === wanted.length - lacks.length && lacks.every((usage) => usage === 'key encipherment');
  return isMet ? undefined : `usages did not match [${wanted.join(' ')}]`;
}

function organizationFault({organizations}: RequestContent): string | undefined {
  return organizations.length === 1 && organizations[0] === 'system:nodes' ? undefined : 'subject organization is not system:nodes';
}

function commonNameFault({commonName}: RequestContent): string | undefined {
  return commonName.startsWith('system:node:') ? undefined : 'subject common name does not begin with system:node:';
}

/** Kinds of names that Kubernetes does not know it leaves out; here nothing is signed that is not understood. */
function nameFault({names}: RequestContent, refused: Readonly<Record<string, string>>): string | undefined {
  for (const [kind, text] of Object.entries(refused))
    if (names.some(({type}) => type === kind)) return `${text} subjectAltNames are not allowed`;
  const known = new Set<string>(Object.keys(clientNames));
  const other = names.find(({type}) => !known.has(type));
  return other === undefined ? undefined : `subjectAltNames of the kind ${other.type} are not allowed`;
}
