import type {PersistentVolumeClaim} from '../../../sdk/types/core/v1.js';
import type {ScopeRequirement} from './quota-object.js';
import {isSelected} from './scope-selector.js';

/** Whether a claim is in a scope: one about a class of attributes that it wants, has, or is being changed to. */
export function isClaimInScope({scopeName, operator, values = []}: ScopeRequirement, claim: PersistentVolumeClaim): boolean {
  if (scopeName !== 'VolumeAttributesClass') return false;
  const names = attributesClasses(claim);
  return (names.size === 0 ? [''] : [...names]).some((name) => isSelected(name, operator, values));
}

/** The names of all VolumeAttributesClasses that a claim has to do with. */
export function attributesClasses({spec, status}: PersistentVolumeClaim): ReadonlySet<string> {
  const names = [
    spec?.volumeAttributesClassName,
    status?.currentVolumeAttributesClassName,
    status?.modifyVolumeStatus?.targetVolumeAttributesClassName,
  ];
  return new Set(names.filter((name): name is string => Boolean(name)));
}
