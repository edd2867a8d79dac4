import {dnsSubdomainFaults, FieldPath, required, strategy, type FieldError, type ResourceStrategy} from '../../../sdk/index.js';
import {invalidFor, pathSegmentFaults, validateImmutable, validateOptionalText, validateText} from '../../../sdk/validation/index.js';
import type {IPAddress as IpAddress, ParentReference} from '../../../sdk/types/unchecked/networking/v1.js';
import {strictIpFaults} from '../../families/addresses/strict-addresses.js';

const metadataPath = FieldPath.of('metadata');
const parentPath = FieldPath.of('spec', 'parentRef');

/** IPAddress: an address that is taken, named after it, and the object that it belongs to. */
@strategy()
export class IpAddressStrategy implements ResourceStrategy<IpAddress> {
  /** What a name is to be made of is the name: with more behind it it would be no address. */
  prepareForCreate({metadata}: IpAddress): void {
    if (!metadata.name && metadata.generateName) metadata.name = metadata.generateName;
  }

  validateCreate({metadata: {name = '', generateName = ''}, spec}: IpAddress): FieldError[] {
    return [
      ...addressFaults('generateName', generateName),
      ...addressFaults('name', name),
      ...(spec?.parentRef ? validateParent(spec.parentRef) : [required(parentPath)]),
    ];
  }

  validateUpdate(object: IpAddress, old: IpAddress): FieldError[] {
    return [...this.validateCreate(object), ...validateImmutable(object.spec?.parentRef, old.spec?.parentRef, parentPath)];
  }

  tableCells({spec}: IpAddress): Record<string, string> {
    return {ParentRef: spec?.parentRef ? parentText(spec.parentRef) : '<none>'};
  }
}

function addressFaults(member: string, text: string): FieldError[] {
  return text === '' ? [] : invalidFor(metadataPath.child(member), text, strictIpFaults(text));
}

function validateParent({group, resource, namespace, name}: ParentReference): FieldError[] {
  return [
    ...validateOptionalText(group, parentPath.child('group'), dnsSubdomainFaults),
    ...validateText(resource, parentPath.child('resource'), pathSegmentFaults),
    ...validateText(name, parentPath.child('name'), pathSegmentFaults),
    ...validateOptionalText(namespace, parentPath.child('namespace'), pathSegmentFaults),
  ];
}

function parentText({group, resource = '', namespace, name = ''}: ParentReference): string {
  const type = (group ? `${resource}.${group}` : resource).toLowerCase();
  return [type, ...(namespace ? [namespace] : []), name].join('/');
}
