import type {Device, DeviceToleration} from '../../../../sdk/types/unchecked/resource/v1.js';

const keeping: readonly unknown[] = ['NoSchedule', 'NoExecute'];

/** Whether a taint of a device keeps a claim from it that has certain tolerations. */
export function isKeptFrom({taints}: Device, tolerations: readonly DeviceToleration[]): boolean {
  return (taints ?? []).some(
    (taint) =>
      keeping.includes(taint.effect) &&
      !tolerations.some(
        ({key, operator, value, effect}) =>
          (!effect || effect === taint.effect) &&
          (!key || key === taint.key) &&
          (operator === 'Exists' || (value ?? '') === (taint.value ?? '')),
      ),
  );
}
