import {invalid, type FieldError, type FieldPath} from '../../../../sdk/index.js';
import type {DeviceClaim} from '../../../../sdk/types/unchecked/resource/v1.js';
import {validateSet} from './findings.js';
import {validateLabelName} from './names.js';

const unknown = "must be the name of a request in the claim or the name of a request and a subrequest separated by '/'";

/** The names by which a claim refers to its requests: `NAME`, or `NAME/ALTERNATIVE`. */
export class RequestNames {
  readonly #alternatives: ReadonlyMap<string, ReadonlySet<string>>;

  private constructor(alternatives: ReadonlyMap<string, ReadonlySet<string>>) {
    this.#alternatives = alternatives;
  }

  static of({requests}: DeviceClaim): RequestNames {
    const entries = (requests ?? []).map(
      ({name = '', firstAvailable}) => [name, new Set((firstAvailable ?? []).map((each) => each.name ?? ''))] as const,
    );
    return new RequestNames(new Map(entries));
  }

  /** Errors in a list of names that must be those of requests. */
  validateReferences(names: readonly string[] | undefined | null, maximum: number, path: FieldPath): FieldError[] {
    return validateSet(
      names,
      maximum,
      path,
      (name, place) => this.validateReference(name, place),
      (name) => name,
    );
  }

  validateReference(name: string, path: FieldPath): FieldError[] {
    const parts = name.split('/');
    if (parts.length > 2) return [invalid(path, name, unknown)];
    const faults = parts.flatMap((part) => validateLabelName(part, path));
    return this.#has(parts) ? faults : [...faults, invalid(path, name, unknown)];
  }

  #has([request = '', alternative]: readonly string[]): boolean {
    const alternatives = this.#alternatives.get(request);
    return alternatives !== undefined && (alternative === undefined || alternatives.has(alternative));
  }
}
