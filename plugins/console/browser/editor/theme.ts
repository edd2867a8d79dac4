import {HighlightStyle, syntaxHighlighting} from '@codemirror/language';
import type {Extension} from '@codemirror/state';
import {EditorView} from '@codemirror/view';
import {tags} from '@lezer/highlight';

/** The editor's looks, by the same variables as the page's. */
const looks = EditorView.theme({
  '&': {color: 'var(--text)', backgroundColor: 'var(--field)', fontSize: '13px', height: '100%'},
  '&.cm-focused': {outline: '2px solid var(--accent)', outlineOffset: '-2px'},
  '.cm-scroller': {fontFamily: 'var(--mono)', lineHeight: '1.5'},
  '.cm-content': {caretColor: 'var(--text)'},
  '.cm-cursor': {borderLeftColor: 'var(--text)'},
  '.cm-gutters': {backgroundColor: 'var(--back)', color: 'var(--faint)', borderRight: '1px solid var(--line)'},
  '.cm-activeLine, .cm-activeLineGutter': {backgroundColor: 'var(--hover)'},
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground': {backgroundColor: 'var(--selected)'},
  '.cm-tooltip': {backgroundColor: 'var(--back)', color: 'var(--text)', border: '1px solid var(--line)', maxWidth: '480px'},
  '.cm-tooltip-autocomplete ul li[aria-selected]': {backgroundColor: 'var(--accent)', color: 'var(--on-accent)'},
  '.cm-panels': {backgroundColor: 'var(--back)', color: 'var(--text)'},
  '.cm-changedLine, .cm-insertedLine': {backgroundColor: 'var(--added) !important'},
  '.cm-deletedChunk, .cm-deletedLine': {backgroundColor: 'var(--removed) !important'},
  // The one of the library is in few fonts.
  '.cm-collapsedLines:before, .cm-collapsedLines:after': {content: '"…" !important'},
  '.cm-changedText, .cm-deletedText': {background: 'var(--changed) !important'},
});

const colours = HighlightStyle.define([
  {tag: [tags.propertyName, tags.definition(tags.propertyName)], color: 'var(--key)'},
  {tag: [tags.string, tags.content, tags.attributeValue], color: 'var(--text)'},
  {tag: [tags.number, tags.bool, tags.null, tags.keyword], color: 'var(--value)'},
  {tag: [tags.comment, tags.meta], color: 'var(--faint)'},
]);

export const theme: readonly Extension[] = [looks, syntaxHighlighting(colours)];
