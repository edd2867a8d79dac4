import {FieldPath, invalid, required, strategy, type FieldError, type ResourceStrategy} from '../../../sdk/index.js';
import {parseCidr, type IpFamily} from '../../../sdk/net/index.js';
import {validateImmutable} from '../../../sdk/validation/index.js';
import type {NodeSelector, NodeSelectorRequirement} from '../../../sdk/types/unchecked/core/v1.js';
import type {ClusterCIDR as ClusterCidr} from '../../../sdk/types/unchecked/networking/v1alpha1.js';
import {validateNodeSelector} from '../../families/pods/node-selector.js';

const specPath = FieldPath.of('spec');
const members = ['nodeSelector', 'perNodeHostBits', 'ipv4', 'ipv6'] as const;
/** With fewer bits a node would have hardly any addresses. */
const fewestHostBits = 4;

/** ClusterCIDR: address blocks from which each node gets a part. */
@strategy()
export class ClusterCidrStrategy implements ResourceStrategy<ClusterCidr> {
  validateCreate({spec = {}}: ClusterCidr): FieldError[] {
    const {nodeSelector, perNodeHostBits = 0, ipv4 = '', ipv6 = ''} = spec;
    const faults = nodeSelector ? validateNodeSelector(nodeSelector, specPath.child('nodeSelector')) : [];
    if (ipv4 === '' && ipv6 === '') return [...faults, required(specPath, 'one or both of `ipv4` and `ipv6` must be specified')];
    if (ipv4 !== '') faults.push(...validateBlock(ipv4, 'IPv4', 32, perNodeHostBits));
    if (ipv6 !== '') faults.push(...validateBlock(ipv6, 'IPv6', 128, perNodeHostBits));
    return faults;
  }

  validateUpdate(object: ClusterCidr, old: ClusterCidr): FieldError[] {
    const changes = members.flatMap((member) => validateImmutable(object.spec?.[member], old.spec?.[member], specPath.child(member)));
    return [...this.validateCreate(object), ...changes];
  }

  tableCells({spec}: ClusterCidr): Record<string, string> {
    return {
      PerNodeHostBits: String(spec?.perNodeHostBits ?? 0),
      IPv4: spec?.ipv4 || '<none>',
      IPv6: spec?.ipv6 || '<none>',
      NodeSelector: spec?.nodeSelector ? nodeSelectorText(spec.nodeSelector) : '<none>',
    };
  }
}

function validateBlock(text: string, family: IpFamily, bits: number, hostBits: number): FieldError[] {
  const path = specPath.child(family.toLowerCase());
  const block = parseCidr(text);
  if (!block) return [invalid(path, text, `must be a valid CIDR: ${text}`)];
  if (block.family !== family) return [invalid(path, text, `must be a valid ${family} CIDR`)];
  const faults: FieldError[] = [];
  const most = bits - block.prefixLength;
  const bitsPath = specPath.child('perNodeHostBits');
  if (hostBits < fewestHostBits) faults.push(invalid(bitsPath, hostBits, `must be greater than or equal to ${fewestHostBits}`));
  if (hostBits > most) faults.push(invalid(bitsPath, hostBits, `must be less than or equal to ${most}`));
  return faults;
}

function nodeSelectorText({nodeSelectorTerms}: NodeSelector): string {
  const requirements = (list: NodeSelectorRequirement[]) =>
    list.map(({key = '', operator = '', values}) => `{${key} ${operator} [${(values ?? []).join(' ')}]}`).join(' ');
  return (nodeSelectorTerms ?? [])
    .flatMap(({matchExpressions, matchFields}) => [
      ...(matchExpressions?.length ? [`MatchExpressions: [${requirements(matchExpressions)}]`] : []),
      ...(matchFields?.length ? [`MatchFields: [${requirements(matchFields)}]`] : []),
    ])
    .join(',');
}
