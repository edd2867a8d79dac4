import {duplicate, FieldPath, required, type FieldError} from '../../../../sdk/index.js';
import {validateCsiDriverName} from '../../../families/volumes/csi-driver-name.js';
import type {ResourceClaimParameters, ResourceClassParameters} from '../../../../sdk/types/unchecked/resource/v1alpha2.js';
import type {Finding} from '../devices/findings.js';
import {classParametersFaults, parametersFaults} from './claim-spec-rules.js';
import {missingModel} from './named-resources.js';

const generatedFromPath = FieldPath.of('generatedFrom');

/** Errors and selectors of what a claim asks several drivers for. */
export function claimParametersFindings({generatedFrom, driverRequests}: ResourceClaimParameters): Finding[] {
  return [
    ...parametersFaults(generatedFrom, generatedFromPath),
    ...perDriver(driverRequests, FieldPath.of('driverRequests'), ({requests}, path) => {
      const at = path.child('requests');
      if ((requests ?? []).length === 0) return [required(at, 'empty entries with no requests are not allowed')];
      return requests!.flatMap(({namedResources}, index) => selectorFindings(namedResources, at.index(index)));
    }),
  ];
}

/** Errors and selectors of what a class lets its claims have of several drivers. */
export function classParametersFindings({generatedFrom, filters, vendorParameters}: ResourceClassParameters): Finding[] {
  return [
    ...classParametersFaults(generatedFrom, generatedFromPath),
    ...perDriver(filters, FieldPath.of('filters'), ({namedResources}, path) => selectorFindings(namedResources, path)),
    ...perDriver(vendorParameters, FieldPath.of('vendorParameters'), () => []),
  ];
}

/** A list has one entry for each driver. */
function perDriver<T extends {readonly driverName?: string | null | undefined}>(
  entries: readonly T[] | undefined | null,
  path: FieldPath,
  check: (entry: T, path: FieldPath) => readonly Finding[],
): Finding[] {
  const seen = new Set<string>();
  return (entries ?? []).flatMap((entry, index): Finding[] => {
    const at = path.index(index);
    const driver = entry.driverName ?? '';
    const faults: FieldError[] = validateCsiDriverName(driver, at.child('driverName'));
    if (seen.has(driver)) faults.push(duplicate(at.child('driverName'), driver));
    seen.add(driver);
    return [...faults, ...check(entry, at)];
  });
}

function selectorFindings(model: {readonly selector?: string | null | undefined} | undefined | null, path: FieldPath): Finding[] {
  if (!model) return [missingModel(path)];
  const selectorPath = path.child('namedResources', 'selector');
  return model.selector ? [{expression: model.selector, path: selectorPath}] : [required(selectorPath)];
}

/** What a table shows of the object that parameters were generated from. */
export function originText(reference: ResourceClassParameters['generatedFrom']): string {
  return reference ? `${reference.kind}.${reference.apiGroup ?? ''} ${reference.name}` : '';
}
