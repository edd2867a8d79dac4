import {FieldPath, invalid, strategy, tooLong, type FieldError, type ResourceStrategy} from '../../../sdk/index.js';
import type {ConfigMap} from '../../../sdk/types/unchecked/core/v1.js';
import {dataKeyFaults, decodedBytes, immutabilityFaults, maximumDataBytes} from './data-keys.js';

const dataPath = FieldPath.of('data');
const binaryDataPath = FieldPath.of('binaryData');

/** ConfigMap: strings and bytes under keys that resemble file names, up to 1 MiB in total; cannot change once `immutable` is true. */
@strategy()
export class ConfigMapStrategy implements ResourceStrategy<ConfigMap> {
  validateCreate(object: ConfigMap): FieldError[] {
    const data = object.data ?? {};
    const binaryData = object.binaryData ?? {};
    const keys = Object.keys(data);
    const binaryKeys = Object.keys(binaryData);
    const faults = [...dataKeyFaults(keys, dataPath), ...dataKeyFaults(binaryKeys, binaryDataPath)];
    let bytes = 0;
    for (const key of keys) {
      if (Object.hasOwn(binaryData, key)) faults.push(invalid(dataPath.key(key), key, 'duplicate of key present in binaryData'));
      bytes += Buffer.byteLength(data[key]!);
    }
    for (const key of binaryKeys) {
      if (Object.hasOwn(data, key)) faults.push(invalid(binaryDataPath.key(key), key, 'duplicate of key present in data'));
      bytes += decodedBytes(binaryData[key]!);
    }
    if (bytes > maximumDataBytes) faults.push(tooLong(FieldPath.root, maximumDataBytes));
    return faults;
  }

  validateUpdate(object: ConfigMap, old: ConfigMap): FieldError[] {
    return [...immutabilityFaults(object, old, ['data', 'binaryData']), ...this.validateCreate(object)];
  }

  tableCells(object: ConfigMap): Record<string, string | number> {
    return {
      Data: Object.keys(object.data ?? {}).length + Object.keys(object.binaryData ?? {}).length,
    };
  }
}
