import { useEffect, useState } from 'react';

/**
 * Returns the text as it was when it last stayed the same for a while; at first the text itself.
 * @param ms how long it has to stay the same
 */
export function useDebounced(text: string, ms: number): string {
  const [debounced, setDebounced] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setDebounced(text), ms);
    return () => clearTimeout(timer);
  }, [text, ms]);
  return debounced;
}
