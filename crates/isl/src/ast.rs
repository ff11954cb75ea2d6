//! Code generation: loops that run the instances of a schedule in its order, as plain data.

use barvinok_sys::{
    ISL_AST_EXPR_ID, ISL_AST_EXPR_INT, ISL_AST_EXPR_OP, ISL_AST_NODE_BLOCK, ISL_AST_NODE_FOR, ISL_AST_NODE_IF,
    ISL_AST_NODE_USER,
};
use num_bigint::BigInt;

use crate::context::borrowed_text;
use crate::error::Error;
use crate::object::{Argument, Object, int};
use crate::schedule::IslSchedule;
use crate::set::Set;
use crate::val::Val;

/// A node of the generated code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AstNode {
    /// `for (iterator = start; condition; iterator += step) body`.
    For {
        /// The name of the iterator.
        iterator: String,
        /// Its first value.
        start: AstExpr,
        /// Goes on while this holds; `None` if the body runs once, with the first value.
        condition: Option<AstExpr>,
        /// The step.
        step: AstExpr,
        /// The body.
        body: Box<AstNode>,
    },
    /// A condition.
    If {
        /// The condition.
        condition: AstExpr,
        /// Runs where it holds.
        then: Box<AstNode>,
        /// Runs where it does not.
        otherwise: Option<Box<AstNode>>,
    },
    /// Nodes, one after the other.
    Block(Vec<AstNode>),
    /// An instance of a statement.
    User {
        /// The statement's tuple name.
        statement: String,
        /// Its tuple.
        instance: Vec<AstExpr>,
    },
}

/// An integer or boolean expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AstExpr {
    /// A parameter or an iterator.
    Name(String),
    /// A number.
    Int(BigInt),
    /// An operation.
    Op(AstOp, Vec<AstExpr>),
}

/// The operations of generated code. Divisors are positive constants.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum AstOp {
    /// All hold.
    And,
    /// At least one holds.
    Or,
    /// The largest.
    Max,
    /// The smallest.
    Min,
    /// The negative of one operand.
    Minus,
    /// A sum of two.
    Add,
    /// A difference.
    Sub,
    /// A product.
    Mul,
    /// A quotient without a remainder.
    Div,
    /// A quotient, rounded down.
    FloorDiv,
    /// A quotient, rounded down, of a dividend that is not negative.
    PositiveDiv,
    /// A remainder of a dividend that is not negative.
    PositiveRem,
    /// A remainder that is only compared with 0.
    ZeroRem,
    /// `c ? a : b`.
    Select,
    /// =
    Eq,
    /// ≤
    Le,
    /// <
    Lt,
    /// ≥
    Ge,
    /// >
    Gt,
    /// A call: the statement, then its tuple.
    Call,
}

impl AstNode {
    /// Returns true if there is a loop with more than one iteration here or below.
    pub fn has_loop(&self) -> bool {
        match self {
            AstNode::Block(children) => children.iter().any(AstNode::has_loop),
            AstNode::If { then, otherwise, .. } => {
                then.has_loop() || otherwise.as_ref().is_some_and(|node| node.has_loop())
            }
            AstNode::For { condition, body, .. } => condition.is_some() || body.has_loop(),
            AstNode::User { .. } => false,
        }
    }
}

/// By C value, the operations; `None` for those of pointers and structures.
const OPERATIONS: [AstOp; 23] = [
    AstOp::And,
    AstOp::And,
    AstOp::Or,
    AstOp::Or,
    AstOp::Max,
    AstOp::Min,
    AstOp::Minus,
    AstOp::Add,
    AstOp::Sub,
    AstOp::Mul,
    AstOp::Div,
    AstOp::FloorDiv,
    AstOp::PositiveDiv,
    AstOp::PositiveRem,
    AstOp::ZeroRem,
    AstOp::Select,
    AstOp::Select,
    AstOp::Eq,
    AstOp::Le,
    AstOp::Lt,
    AstOp::Ge,
    AstOp::Gt,
    AstOp::Call,
];

object! {
    struct RawBuild(isl_ast_build): isl_ast_build_free;
}

object! {
    struct RawNode(isl_ast_node): isl_ast_node_copy, isl_ast_node_free, isl_ast_node_to_str;
}

object! {
    struct RawList(isl_ast_node_list): isl_ast_node_list_free;
}

object! {
    struct RawExpr(isl_ast_expr): isl_ast_expr_copy, isl_ast_expr_free, isl_ast_expr_to_str;
}

object! {
    struct RawId(isl_id): isl_id_free;
}

operations! { private RawNode {
    keep fn is_degenerate() -> bool = isl_ast_node_for_is_degenerate;
    keep fn iterator() -> RawExpr = isl_ast_node_for_get_iterator;
    keep fn start() -> RawExpr = isl_ast_node_for_get_init;
    keep fn for_condition() -> RawExpr = isl_ast_node_for_get_cond;
    keep fn step() -> RawExpr = isl_ast_node_for_get_inc;
    keep fn body() -> RawNode = isl_ast_node_for_get_body;
    keep fn if_condition() -> RawExpr = isl_ast_node_if_get_cond;
    keep fn then() -> RawNode = isl_ast_node_if_get_then_node;
    keep fn has_otherwise() -> bool = isl_ast_node_if_has_else_node;
    keep fn otherwise() -> RawNode = isl_ast_node_if_get_else_node;
    keep fn children() -> RawList = isl_ast_node_block_get_children;
    keep fn user() -> RawExpr = isl_ast_node_user_get_expr;
}}

operations! { private RawExpr {
    keep fn number() -> Val = isl_ast_expr_int_get_val;
    keep fn id() -> RawId = isl_ast_expr_id_get_id;
    keep fn operands() -> usize = isl_ast_expr_op_get_n_arg;
}}

/// The condition under which a generated loop goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum LoopEnds {
    /// One comparison with a minimum of bounds, which compilers understand best.
    Minimum,
    /// A conjunction, with a comparison for each bound.
    Each,
}

/// Returns loops that run the instances of a schedule, for parameter values in `context`.
///
/// Tuple names of statements, names of parameters and `c0`, `c1`, … for iterators are the names in the result.
///
/// # Errors
///
/// [`Error::Limit`] at the limit on operations, [`Error::Isl`] if isl fails otherwise.
pub fn generate_code(schedule: &IslSchedule, context: &Set, ends: LoopEnds) -> Result<AstNode, Error> {
    let isl = &schedule.context;
    let api = isl.api();
    // SAFETY: the objects are live and C frees copies; the results are ours.
    unsafe {
        (api.isl_options_set_ast_build_atomic_upper_bound)(isl.raw(), (ends == LoopEnds::Minimum).into());
        let build =
            RawBuild::adopt(isl, "isl_ast_build_from_context", (api.isl_ast_build_from_context)(context.take()))?;
        let raw = (api.isl_ast_build_node_from_schedule)(build.raw.as_ptr(), schedule.take());
        RawNode::adopt(isl, "isl_ast_build_node_from_schedule", raw)?.node()
    }
}

impl RawNode {
    fn node(&self) -> Result<AstNode, Error> {
        // SAFETY: the node is live.
        match unsafe { (self.context.api().isl_ast_node_get_type)(self.keep()) } {
            ISL_AST_NODE_FOR => self.for_node(),
            ISL_AST_NODE_IF => Ok(AstNode::If {
                condition: self.if_condition()?.expr()?,
                then: Box::new(self.then()?.node()?),
                otherwise: if self.has_otherwise()? { Some(Box::new(self.otherwise()?.node()?)) } else { None },
            }),
            ISL_AST_NODE_BLOCK => Ok(AstNode::Block(self.children()?.nodes()?)),
            ISL_AST_NODE_USER => match self.user()?.expr()? {
                AstExpr::Op(AstOp::Call, mut parts) if !parts.is_empty() => match parts.remove(0) {
                    AstExpr::Name(statement) => Ok(AstNode::User { statement, instance: parts }),
                    _ => Err(self.context.error("isl_ast_node_user_get_expr")),
                },
                _ => Err(self.context.error("isl_ast_node_user_get_expr")),
            },
            _ => Err(self.context.error("isl_ast_node_get_type")),
        }
    }

    fn for_node(&self) -> Result<AstNode, Error> {
        let AstExpr::Name(iterator) = self.iterator()?.expr()? else {
            return Err(self.context.error("isl_ast_node_for_get_iterator"));
        };
        let once = self.is_degenerate()?;
        Ok(AstNode::For {
            iterator,
            start: self.start()?.expr()?,
            condition: if once { None } else { Some(self.for_condition()?.expr()?) },
            step: if once { AstExpr::Int(1.into()) } else { self.step()?.expr()? },
            body: Box::new(self.body()?.node()?),
        })
    }
}

impl RawList {
    fn nodes(&self) -> Result<Vec<AstNode>, Error> {
        let api = self.context.api();
        // SAFETY: the list is live and only looked at; the nodes are ours.
        unsafe {
            let size = (api.isl_ast_node_list_size)(self.raw.as_ptr());
            let node = |position| {
                let raw = (api.isl_ast_node_list_get_at)(self.raw.as_ptr(), position);
                RawNode::adopt(&self.context, "isl_ast_node_list_get_at", raw)?.node()
            };
            (0..size).map(node).collect()
        }
    }
}

impl RawExpr {
    fn expr(&self) -> Result<AstExpr, Error> {
        // SAFETY: the expression is live.
        match unsafe { (self.context.api().isl_ast_expr_get_type)(self.keep()) } {
            ISL_AST_EXPR_INT => Ok(AstExpr::Int(self.number()?.to_integer()?)),
            ISL_AST_EXPR_ID => self.id()?.name().map(AstExpr::Name),
            ISL_AST_EXPR_OP => {
                let operands = (0..self.operands()?).map(|position| self.operand(position)?.expr());
                Ok(AstExpr::Op(self.operation()?, operands.collect::<Result<_, _>>()?))
            }
            _ => Err(self.context.error("isl_ast_expr_get_type")),
        }
    }

    fn operation(&self) -> Result<AstOp, Error> {
        const OPERATION: &str = "isl_ast_expr_op_get_type";
        // SAFETY: the expression is live.
        let operation = unsafe { (self.context.api().isl_ast_expr_op_get_type)(self.keep()) };
        let known = usize::try_from(operation).ok().and_then(|index| OPERATIONS.get(index));
        known.copied().ok_or_else(|| self.context.error(OPERATION))
    }

    fn operand(&self, position: usize) -> Result<RawExpr, Error> {
        const OPERATION: &str = "isl_ast_expr_op_get_arg";
        // SAFETY: the expression is live and only looked at; the operand is ours.
        unsafe {
            let raw = (self.context.api().isl_ast_expr_op_get_arg)(self.keep(), int(position));
            RawExpr::adopt(&self.context, OPERATION, raw)
        }
    }
}

impl RawId {
    fn name(&self) -> Result<String, Error> {
        const OPERATION: &str = "isl_id_get_name";
        // SAFETY: the identifier is live, and so is its name, which is copied.
        let name = unsafe { borrowed_text((self.context.api().isl_id_get_name)(self.raw.as_ptr())) };
        name.ok_or_else(|| self.context.error(OPERATION))
    }
}
