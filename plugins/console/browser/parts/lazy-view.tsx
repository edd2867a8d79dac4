import type {ComponentType, VNode} from 'preact';
import {useEffect, useState} from 'preact/hooks';
import {RefusalNotice} from './notice.js';

/** A view whose code is loaded when it is first shown. */
export function lazyView<Props extends object>(load: () => Promise<ComponentType<Props>>): (props: Props) => VNode {
  let known: ComponentType<Props> | undefined;
  return function LazyView(props: Props) {
    const [View, setView] = useState<ComponentType<Props> | undefined>(() => known);
    const [error, setError] = useState<unknown>();
    useEffect(() => {
      if (known) return;
      load().then((loaded) => {
        known = loaded;
        setView(() => loaded);
      }, setError);
    }, []);
    if (View) return <View {...props} />;
    // The server was replaced by one with other pages, or is away.
    if (error !== undefined) return <RefusalNotice error={new Error('This part of the console cannot be loaded: load the page again.')} />;
    return (
      <p class="empty" role="status">
        Loading
      </p>
    );
  };
}
