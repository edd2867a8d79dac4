import {place} from '../api/location.js';
import {listHref} from '../api/places.js';
import type {PluginView} from '../api/plugin-views.js';
import type {ResourceType} from '../api/types.js';
import {PluginFrame} from './plugin-frame.js';

/** The page that a plugin brings for a type. */
export function PluginPage({type, view}: {readonly type: ResourceType; readonly view: PluginView}) {
  const {view: _view, ...query} = place.value.query;
  return (
    <>
      <div class="bar">
        <h1>
          <a href={listHref(type, query)}>{type.resource}</a> {view.title}
        </h1>
        <span class="hint">of the plugin {view.plugin}</span>
      </div>
      <PluginFrame view={view} class="page" />
    </>
  );
}
