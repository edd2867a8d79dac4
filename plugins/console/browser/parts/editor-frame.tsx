import {useEffect, useRef, useState} from 'preact/hooks';
import type * as EditorLibrary from '../editor/index.js';

let loaded: typeof EditorLibrary | undefined;

/** The editor's library, which comes with the first object that is shown; undefined until it is there. */
export function useEditor(): typeof EditorLibrary | undefined {
  const [library, setLibrary] = useState(loaded);
  useEffect(() => {
    if (library) return;
    void import('../editor/index.js').then((module) => {
      loaded = module;
      setLibrary(module);
    });
  }, []);
  return library;
}

export interface EditorFrameProps {
  make(parent: HTMLElement): EditorLibrary.Editor;
  onMade?(editor: EditorLibrary.Editor): void;
  /** For one that only shows: what it shows from now on. */
  readonly text?: string | undefined;
}

/** The place of an editor, which is made once: a new `key` makes another one. */
export function EditorFrame({make, onMade, text}: EditorFrameProps) {
  const element = useRef<HTMLDivElement>(null);
  const made = useRef<EditorLibrary.Editor | undefined>(undefined);
  useEffect(() => {
    const editor = make(element.current!);
    made.current = editor;
    onMade?.(editor);
    return () => editor.destroy();
  }, []);
  useEffect(() => {
    if (text !== undefined) made.current?.setText(text);
  }, [text]);
  return <div class="editor" ref={element} />;
}
