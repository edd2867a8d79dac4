import {FieldSelector} from '../../api/selectors/field-selector.js';
import {LabelSelector} from '../../api/selectors/label-selector.js';
import type {CachedObject} from '../cache/cached-object.js';
import type {Selection} from './list-query.js';
import type {ObjectView} from './object-view.js';

const nameField = 'metadata.name';
const namespaceField = 'metadata.namespace';

/**
 * A query, prepared for many comparisons. Selectors on name and namespace narrow the
 * range of keys, so that a watch or list of a single object examines only that object.
 */
export class ObjectSelector {
  /** Namespace that all selected objects are in; undefined for all. Always undefined for cluster-scoped types. */
  readonly namespace: string | undefined;
  /** Name that all selected objects have. */
  readonly name: string | undefined;
  /** No object can be selected: the query contradicts itself. */
  readonly impossible: boolean;
  /** Whether labels or fields matter too: the number of selected objects is then unknown without examining them. */
  readonly filtered: boolean;
  /** Equal for queries that select the same objects. */
  readonly id: string;
  readonly labelSelector: LabelSelector;
  readonly fieldSelector: FieldSelector;
  /** Set if there are selectors on a view. */
  readonly view: ObjectView | undefined;
  readonly #byKeyOnly: boolean;

  constructor(selection: Selection, namespaced: boolean) {
    this.labelSelector = selection.labelSelector ?? LabelSelector.everything;
    this.fieldSelector = selection.fieldSelector ?? FieldSelector.everything;
    const fieldName = this.fieldSelector.exactValue(nameField);
    const fieldNamespace = namespaced ? this.fieldSelector.exactValue(namespaceField) : undefined;
    this.namespace = namespaced ? selection.namespace || fieldNamespace || undefined : undefined;
    this.name = selection.name || fieldName || undefined;
    this.impossible =
      fieldName === '' || fieldNamespace === '' || conflicts(fieldName, this.name) || conflicts(fieldNamespace, this.namespace);
    this.filtered = !this.labelSelector.empty || !this.fieldSelector.empty;
    this.#byKeyOnly = this.fieldSelector.requirements.every(({field}) => field === nameField || field === namespaceField);
    this.view = this.filtered ? selection.view : undefined;
    this.id = JSON.stringify([
      this.namespace,
      this.name,
      this.labelSelector.empty || this.labelSelector.toString(),
      this.fieldSelector.toString(),
    ]);
  }

  /** The only key that can match, if there is just one. */
  key(namespaced: boolean): string | undefined {
    if (this.name === undefined) return undefined;
    if (!namespaced) return this.name;
    return this.namespace === undefined ? undefined : `${this.namespace}/${this.name}`;
  }

  /** Whether an object is selected. If there is a view, it must be ready. */
  matches(object: CachedObject): boolean {
    return this.matchesKey(object) && this.matchesSelectors(object);
  }

  /** Whether an object is in the range of keys. */
  matchesKey(object: CachedObject): boolean {
    if (this.impossible) return false;
    if (this.namespace !== undefined && !inNamespace(object.key, this.namespace)) return false;
    return this.name === undefined || object.name === this.name;
  }

  /** Whether an object that is in the range of keys is selected. */
  matchesSelectors(stored: CachedObject): boolean {
    if (!this.filtered) return true;
    const object = this.view ? this.view.convertedNow(stored) : stored;
    if (!this.fieldSelector.empty && !this.fieldSelector.matches(this.#byKeyOnly ? keyFields(object) : object.fields())) return false;
    return this.labelSelector.empty || this.labelSelector.matches(object.labels());
  }
}

function conflicts(demanded: string | undefined, given: string | undefined): boolean {
  return demanded !== undefined && given !== undefined && demanded !== given;
}

function inNamespace(key: string, namespace: string): boolean {
  return key.length > namespace.length && key[namespace.length] === '/' && key.startsWith(namespace);
}

function keyFields(object: CachedObject): Record<string, string> {
  return {[nameField]: object.name, [namespaceField]: object.namespace};
}
