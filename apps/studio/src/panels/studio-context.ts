import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { Analysis } from '../state/create-analysis.js';
import type { Studio } from '../state/studio.js';
import type { Viewport } from '../viewport/viewport.js';

export const StudioContext = createContext<Studio | null>(null);

export function useStudio(): Studio {
  const studio = useContext(StudioContext);
  if (!studio) throw new Error('A panel was used outside the studio.');
  return studio;
}

export const AnalysisContext = createContext<Analysis | null>(null);

export function useAnalysis(): Analysis {
  const analysis = useContext(AnalysisContext);
  if (!analysis) throw new Error('A panel was used outside the studio.');
  return analysis;
}

/** The 3-D view of the page, once it stands: for tools that need the camera or the canvas. */
export const viewportHolder: { current: Viewport | undefined } = { current: undefined };

/** Looks at what is selected, or at the whole of what is shown: a character or a simulation. */
export const frameView: { current: ((isWhole?: boolean) => void) | undefined } = { current: undefined };
