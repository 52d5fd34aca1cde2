import type { ReactNode } from 'react';
import { Dialog } from 'react-aria-components/Dialog';
import { Heading } from 'react-aria-components/Heading';
import { Modal as AriaModal, ModalOverlay } from 'react-aria-components/Modal';
import styles from './Modal.module.css';

interface Props {
  title: string;
  isOpen: boolean;
  onClose: () => void;
  /** Whether a click outside or Escape closes it; false if input would be lost. */
  isDismissable?: boolean;
  children: ReactNode;
}

/** A modal dialog. */
export function Modal({ title, isOpen, onClose, isDismissable = true, children }: Props) {
  const onOpenChange = (open: boolean): void => {
    if (!open) onClose();
  };
  return (
    <ModalOverlay
      isOpen={isOpen}
      onOpenChange={onOpenChange}
      isDismissable={isDismissable}
      isKeyboardDismissDisabled={!isDismissable}
      className={styles.overlay ?? ''}
    >
      <AriaModal className={styles.modal ?? ''}>
        <Dialog className={styles.dialog ?? ''}>
          <Heading slot="title" className={styles.title ?? ''}>
            {title}
          </Heading>
          {children}
        </Dialog>
      </AriaModal>
    </ModalOverlay>
  );
}
