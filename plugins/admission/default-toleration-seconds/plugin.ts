import {admission, inject, Tokens, type AdmissionController, type AdmissionRequest, type NamingProfile} from '../../../sdk/index.js';
import type {Pod, Toleration} from '../../../sdk/types/core/v1.js';

/** Settings of the plugin, in seconds. */
interface Seconds {
  readonly defaultNotReadyTolerationSeconds: number;
  readonly defaultUnreachableTolerationSeconds: number;
}

/** Adds limited tolerations for nodes that are not ready or unreachable to pods that have none. */
@admission({operations: ['CREATE', 'UPDATE'], resources: ['pods'], order: 220, sideEffects: 'none'})
export class DefaultTolerationSeconds implements AdmissionController {
  readonly #defaults: readonly Required<Pick<Toleration, 'key' | 'tolerationSeconds'>>[];

  constructor(@inject(Tokens.Naming) naming: NamingProfile, @inject(Tokens.Config) config: Readonly<Record<string, unknown>>) {
    const {defaultNotReadyTolerationSeconds, defaultUnreachableTolerationSeconds} = config as unknown as Seconds;
    this.#defaults = [
      {key: naming.key('node.orch/not-ready'), tolerationSeconds: defaultNotReadyTolerationSeconds},
      {key: naming.key('node.orch/unreachable'), tolerationSeconds: defaultUnreachableTolerationSeconds},
    ];
  }

  admit(request: AdmissionRequest): void {
    const pod = request.object as unknown as Pod;
    if (!pod.spec) return;
    const given = pod.spec.tolerations ?? [];
    const missing = this.#defaults.filter(({key}) => !given.some((toleration) => tolerates(toleration, key)));
    if (missing.length === 0) return;
    pod.spec.tolerations = [...given, ...missing.map(({key, tolerationSeconds}) => forSeconds(key, tolerationSeconds))];
  }
}

function tolerates({key, effect}: Toleration, taint: string): boolean {
  return (!key || key === taint) && (!effect || effect === 'NoExecute');
}

function forSeconds(key: string, tolerationSeconds: number): Toleration {
  return {key, operator: 'Exists', effect: 'NoExecute', tolerationSeconds};
}
