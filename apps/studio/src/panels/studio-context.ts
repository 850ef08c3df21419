import { type Context, createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { Analysis } from '../state/create-analysis.js';
import type { Studio } from '../state/studio.js';
import type { Viewport } from '../viewport/viewport.js';

export const StudioContext = createContext<Studio | null>(null);

export const AnalysisContext = createContext<Analysis | null>(null);

export const useStudio = (): Studio => useGiven(StudioContext);
export const useAnalysis = (): Analysis => useGiven(AnalysisContext);

function useGiven<T>(context: Context<T | null>): T {
  const given = useContext(context);
  if (!given) throw new Error('A panel was used outside the studio.');
  return given;
}

/** The 3-D view of the page, once it stands: for tools that need the camera or the canvas. */
export const viewportHolder: { current: Viewport | undefined } = { current: undefined };

/** Looks at what is selected, or at the whole of what is shown: a character or a simulation. */
export const frameView: { current: ((isWhole?: boolean) => void) | undefined } = { current: undefined };
