import {autocompletion, completionKeymap} from '@codemirror/autocomplete';
import {defaultKeymap, history, historyKeymap} from '@codemirror/commands';
import {yaml} from '@codemirror/lang-yaml';
import {bracketMatching, foldGutter, foldKeymap, indentOnInput} from '@codemirror/language';
import {linter, lintKeymap, type Diagnostic} from '@codemirror/lint';
import {MergeView, unifiedMergeView} from '@codemirror/merge';
import {highlightSelectionMatches, searchKeymap} from '@codemirror/search';
import {EditorState, type Extension} from '@codemirror/state';
import {drawSelection, EditorView, highlightActiveLine, keymap, lineNumbers} from '@codemirror/view';
import type {TypeSchema} from '../api/schemas.js';
import {schemaCompletion} from './complete.js';
import {schemaFaults} from './schema-faults.js';
import {theme} from './theme.js';
import {readYaml} from './yaml-text.js';

/** An editor on the page. */
export interface Editor {
  text(): string;
  /** Shows another text; what is in sight stays there. */
  setText(text: string): void;
  focus(): void;
  destroy(): void;
}

/**
 * The root that an editor lives in. Its styles are sheets of the shadow's own: the policy of the page lets no script write styles into the document.
 */
function rootOf(parent: HTMLElement): ShadowRoot {
  return parent.shadowRoot ?? parent.attachShadow({mode: 'open'});
}

const common = (label: string): Extension[] => [
  lineNumbers(),
  drawSelection(),
  yaml(),
  bracketMatching(),
  foldGutter(),
  highlightSelectionMatches(),
  EditorView.lineWrapping,
  EditorView.contentAttributes.of({'aria-label': label}),
  ...theme,
];

const editing = (schemaNow: () => TypeSchema | undefined, onChange: () => void): Extension[] => [
  history(),
  indentOnInput(),
  highlightActiveLine(),
  autocompletion({override: [schemaCompletion(schemaNow)], icons: false}),
  linter((view) => diagnosticsOf(view.state.doc.toString(), schemaNow()), {delay: 300}),
  EditorView.updateListener.of(({docChanged}) => docChanged && onChange()),
  // Tab moves on: who cannot use a mouse has to get out. Escape, then Tab, indents no more.
  keymap.of([...defaultKeymap, ...historyKeymap, ...completionKeymap, ...searchKeymap, ...foldKeymap, ...lintKeymap]),
];

function diagnosticsOf(text: string, schema: TypeSchema | undefined): Diagnostic[] {
  const {faults} = readYaml(text);
  const found = faults.length > 0 || !schema ? faults : schemaFaults(text, schema);
  return found.map(({from, to, text: message}) => ({
    from: Math.min(from, text.length),
    to: Math.min(to, text.length),
    severity: faults.length > 0 ? 'error' : 'warning',
    message,
  }));
}

export interface YamlEditorOptions {
  readonly parent: HTMLElement;
  readonly label: string;
  readonly text: string;
  readonly readOnly: boolean;
  schemaNow(): TypeSchema | undefined;
  onChange(): void;
}

/** A text that can be edited, with completion and faults from the schema of its type. */
export function yamlEditor({parent, label, text, readOnly, schemaNow, onChange}: YamlEditorOptions): Editor {
  const root = rootOf(parent);
  const extensions = [
    ...common(label),
    ...(readOnly ? [EditorState.readOnly.of(true), keymap.of([...defaultKeymap, ...searchKeymap])] : editing(schemaNow, onChange)),
  ];
  return editorOf(new EditorView({parent: root, root, state: EditorState.create({doc: text, extensions})}));
}

/** Shows what changes from one text to another. */
export function diffView(parent: HTMLElement, before: string, after: string): Editor {
  const root = rootOf(parent);
  const extensions = [
    ...common('Changes'),
    EditorState.readOnly.of(true),
    unifiedMergeView({original: before, mergeControls: false, collapseUnchanged: {margin: 3, minSize: 6}}),
  ];
  return editorOf(new EditorView({parent: root, root, state: EditorState.create({doc: after, extensions})}));
}

/** Two texts beside each other: the left one can be taken over part by part into the right one, which is edited. */
export function mergeEditor(parent: HTMLElement, left: string, right: string): Editor {
  const root = rootOf(parent);
  const view = new MergeView({
    a: {doc: left, extensions: [...common('On the server'), EditorState.readOnly.of(true)]},
    b: {
      doc: right,
      extensions: [
        ...common('Yours'),
        ...editing(
          () => undefined,
          () => {},
        ),
      ],
    },
    parent: root,
    root,
    revertControls: 'a-to-b',
    collapseUnchanged: {margin: 3, minSize: 6},
  });
  return {
    text: () => view.b.state.doc.toString(),
    setText: (text) => setText(view.b, text),
    focus: () => view.b.focus(),
    destroy: () => view.destroy(),
  };
}

function editorOf(view: EditorView): Editor {
  return {
    text: () => view.state.doc.toString(),
    setText: (text) => setText(view, text),
    focus: () => view.focus(),
    destroy: () => view.destroy(),
  };
}

/** Changes only what differs, between the equal beginning and the equal end. */
function setText(view: EditorView, after: string): void {
  const before = view.state.doc.toString();
  let from = 0;
  while (from < before.length && from < after.length && before[from] === after[from]) from += 1;
  let same = 0;
  while (same < before.length - from && same < after.length - from && before[before.length - 1 - same] === after[after.length - 1 - same])
    same += 1;
  if (before !== after) view.dispatch({changes: {from, to: before.length - same, insert: after.slice(from, after.length - same)}});
}
