import { useEffect, useRef, useState, type RefObject } from 'react';

/** Distance from the window within which an element counts as in view, so that it is loaded before it is visible. */
const MARGIN = '300px';

/** Returns a ref for an element, and whether the element is in view. */
export function useInView<E extends Element>(): [RefObject<E | null>, boolean] {
  const ref = useRef<E>(null);
  const [isInView, setInView] = useState(false);
  useEffect(() => {
    if (ref.current === null) return;
    const observer = new IntersectionObserver((entries) => setInView(entries.at(-1)?.isIntersecting ?? false), {
      rootMargin: MARGIN,
    });
    observer.observe(ref.current);
    return () => observer.disconnect();
  }, []);
  return [ref, isInView];
}
