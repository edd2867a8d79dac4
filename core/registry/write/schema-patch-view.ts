import type {PatchSchema, PatchStrategy} from '../../api/patch/patch-schema.js';
import type {SchemaNode} from '../../api/schema/schema-node.js';

const views = new WeakMap<SchemaNode, SchemaPatchView>();

/** A type's schema as strategic merge patch sees it. The view of each node is created on demand. */
export class SchemaPatchView implements PatchSchema {
  readonly mergeKey?: string;
  readonly strategies: readonly PatchStrategy[];

  readonly #node: SchemaNode;

  private constructor(node: SchemaNode) {
    this.#node = node;
    if (node.patchMergeKey !== undefined) this.mergeKey = node.patchMergeKey;
    this.strategies = node.patchStrategies as readonly PatchStrategy[];
  }

  static of(node: SchemaNode): SchemaPatchView {
    let view = views.get(node);
    if (!view) views.set(node, (view = new SchemaPatchView(node)));
    return view;
  }

  child(member: string): PatchSchema | undefined {
    const found = this.#node.member(member);
    return found && SchemaPatchView.of(found);
  }

  element(): PatchSchema | undefined {
    const {items} = this.#node;
    return items && SchemaPatchView.of(items);
  }
}
